import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import { type HubMethod, hubErrorText } from '#protocol/hub.ts'
import type { Clock } from '../domain/ports.ts'
import { type Rate, TokenBucket } from '../domain/token-bucket.ts'
import type { Connection } from './connection.ts'
import type { Invocation } from './messages.ts'
import type { Method } from './methods.ts'

type Kind = 'chat' | 'signalling' | 'control'

/** How often one connection may invoke each kind of method. */
export type HubRates = Record<Kind, Rate>

export const hubRates: HubRates = {
  chat: { perSecond: 20, burst: 100 },
  signalling: { perSecond: 50, burst: 300 },
  control: { perSecond: 5, burst: 30 },
}

const kinds: Partial<Record<HubMethod, Kind>> = {
  SendChatMessageToPeer: 'chat',
  HandleOffer: 'signalling',
  HandleAnswer: 'signalling',
  HandleIceCandidate: 'signalling',
}

type Options = { methods: Record<HubMethod, Method>; rates: HubRates; clock: Clock; log: FastifyBaseLogger }
type Entry = { run: Method; kind: Kind }

/** Runs what a client invokes and answers it. No fault of a method reaches the client or ends the connection. */
export function createDispatch({ methods, rates, clock, log }: Options) {
  const table = new Map<string, Entry>()
  for (const name of Object.keys(methods) as HubMethod[])
    table.set(name.toLowerCase(), { run: methods[name], kind: kinds[name] ?? 'control' })
  const buckets = new WeakMap<Connection, Partial<Record<Kind, TokenBucket>>>()

  function allowed(connection: Connection, kind: Kind): boolean {
    const own = buckets.get(connection) ?? {}
    buckets.set(connection, own)
    const now = clock.now()
    own[kind] ??= new TokenBucket(rates[kind], now)
    return own[kind].take(now)
  }

  function invoke(connection: Connection, { target, arguments: args, streams }: Invocation): Promise<void> | void {
    if (streams) throw new AppError('bad-request', 'there are no streams here')
    const entry = table.get(target.toLowerCase())
    if (!allowed(connection, entry?.kind ?? 'control')) throw new AppError('too-many-requests', 'slow down')
    if (!entry) throw new AppError('not-found', 'there is no such method')
    return entry.run(connection, args)
  }

  function done(connection: Connection, { id }: Invocation): void {
    if (id !== null) connection.complete(id)
  }

  function refuse(connection: Connection, { id, target }: Invocation, thrown: unknown): void {
    const isRefusal = thrown instanceof AppError
    if (!isRefusal)
      log.error({ err: thrown, connection: connection.id, method: target.slice(0, 64) }, 'a hub method failed')
    if (id === null) return
    const error = isRefusal
      ? hubErrorText(thrown.code, thrown.message)
      : hubErrorText('unknown', 'something went wrong')
    connection.complete(id, error)
  }

  return (connection: Connection, invocation: Invocation): Promise<void> | undefined => {
    try {
      const pending = invoke(connection, invocation)
      if (pending) {
        return pending.then(
          () => done(connection, invocation),
          (thrown: unknown) => refuse(connection, invocation, thrown),
        )
      }
      done(connection, invocation)
    } catch (thrown) {
      refuse(connection, invocation, thrown)
    }
    return undefined
  }
}
