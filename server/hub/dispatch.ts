import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import { type HubMethod, hubErrorText } from '#protocol/hub.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Trace } from '../operations/rules/trace.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { InvokingConnection } from './connection.ts'
import { Delivery } from './delivery.ts'
import type { Invocation } from './messages.ts'
import type { Answer, Method } from './methods.ts'
import type { Kind, RateLimits } from './rate-limits.ts'

const kinds: Partial<Record<HubMethod, Kind>> = {
  SendChatMessageToPeer: 'chat',
  HandleOffer: 'descriptions',
  HandleAnswer: 'descriptions',
  HandleIceCandidate: 'signalling',
  InitiateMatchingWithPeers: 'joins',
}

type Options = {
  methods: Record<HubMethod, Method>
  limits: RateLimits
  clock: Clock
  metrics: Metrics
  trace: Trace
  log: FastifyBaseLogger
}
type Entry = { name: HubMethod; run: Method; kind: Kind }

/** Limits what a client invokes, runs it and answers it. No fault of a method reaches the client or ends the connection. */
export function createDispatch({ methods, limits, clock, metrics, trace, log }: Options) {
  const table = new Map<string, Entry>()
  for (const name of Object.keys(methods) as HubMethod[]) {
    const entry = { name, run: methods[name], kind: kinds[name] ?? 'control' }
    table.set(name, entry).set(name.toLowerCase(), entry)
  }

  function find(target: string): Entry | undefined {
    return table.get(target) ?? table.get(target.toLowerCase())
  }

  function admit(connection: InvokingConnection, { target, streams }: Invocation): void {
    if (streams) throw new AppError('bad-request', 'there are no streams here')
    const entry = find(target)
    if (!limits.allows(connection, entry?.kind ?? 'control', clock.now())) {
      connection.slowDown()
      throw new AppError('too-many-requests', 'slow down')
    }
    if (!entry) throw new AppError('not-found', 'there is no such method')
  }

  function invoke(connection: InvokingConnection, { target, arguments: args }: Invocation): Answer {
    const entry = find(target)
    if (!entry) throw new AppError('not-found', 'there is no such method')
    return trace(`hub ${entry.name}`, () => entry.run(connection, args))
  }

  function done(connection: InvokingConnection, { id }: Invocation): void {
    if (id !== null) connection.complete(id)
  }

  function answer(connection: InvokingConnection, invocation: Invocation, delivery: Delivery): void {
    if (invocation.id === null) return
    delivery.whenSettled((delivered) => {
      if (delivered) done(connection, invocation)
      else refuse(connection, invocation, new AppError('not-delivered', 'the peer did not get it'))
    })
  }

  function refuse(connection: InvokingConnection, { id, target }: Invocation, thrown: unknown): void {
    const isRefusal = thrown instanceof AppError
    metrics.refused('invocation', isRefusal ? thrown.code : 'unknown', connection.accountId)
    if (!isRefusal)
      log.error({ err: thrown, connection: connection.id, method: target.slice(0, 64) }, 'a hub method failed')
    if (id === null) return
    const error = isRefusal
      ? hubErrorText(thrown.code, thrown.message)
      : hubErrorText('unknown', 'something went wrong')
    connection.complete(id, error)
  }

  function execute(connection: InvokingConnection, invocation: Invocation): Promise<void> | undefined {
    try {
      const result = invoke(connection, invocation)
      if (result instanceof Delivery) {
        answer(connection, invocation, result)
        return undefined
      }
      if (result) {
        return result.then(
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

  return {
    execute,
    /** False for an invocation that was refused, for being too much or unknown. */
    isAdmitted(connection: InvokingConnection, invocation: Invocation): boolean {
      try {
        admit(connection, invocation)
        return true
      } catch (thrown) {
        refuse(connection, invocation, thrown)
        return false
      }
    },
  }
}
