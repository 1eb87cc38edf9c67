import type { FastifyBaseLogger } from 'fastify'
import type * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { type HubMethod, type HubMethodRate, type HubParsed, hubErrorText, hubMethods } from '#protocol/hub.ts'
import { tryParse } from '#protocol/parse.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Trace } from '../operations/rules/trace.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { Delivery } from './delivery.ts'
import type { Invocation } from './messages.ts'
import type { RateLimits } from './rate-limits.ts'
import type { InvokingConnection } from './user-connection.ts'

const UNKNOWN_METHOD_RATE: HubMethodRate = 'control'

/** Targets are case-insensitive; most clients send the exact name. */
const methodNames = new Map<string, HubMethod>()
for (const name of Object.keys(hubMethods) as HubMethod[]) methodNames.set(name, name).set(name.toLowerCase(), name)

function methodOf(target: string): HubMethod | undefined {
  return methodNames.get(target) ?? methodNames.get(target.toLowerCase())
}

/** The completion waits for a returned promise or delivery; the next invocation of the connection waits for a promise only. */
type MethodResult = Promise<void> | Delivery | void

/** Runs one method with checked arguments. Throws or rejects with an AppError for a refusal, before it changes anything. */
type HubMethodHandler<M extends HubMethod> = (connection: InvokingConnection, args: HubParsed<M>) => MethodResult
export type HubMethodHandlers = { readonly [M in HubMethod]: HubMethodHandler<M> }

type Deps = {
  handlers: HubMethodHandlers
  limits: RateLimits
  clock: Clock
  metrics: Metrics
  trace: Trace
  log: FastifyBaseLogger
}

/** Runs invocations by the table of hub methods. The client does not see a fault of a method, and its connection goes on. */
export class Dispatch {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Applies the rate limits. Returns false after it has refused the invocation. */
  isAdmitted(connection: InvokingConnection, invocation: Invocation): boolean {
    const refusal = this.#refusalOf(connection, invocation)
    if (refusal) this.#refuse(connection, invocation, refusal)
    return refusal === null
  }

  /** Runs an admitted invocation and completes it. The next invocation must wait for a returned promise, which never rejects. */
  execute(connection: InvokingConnection, invocation: Invocation): Promise<void> | undefined {
    try {
      const result = this.#invoke(connection, invocation)
      if (result instanceof Delivery) {
        this.#completeAfter(result, connection, invocation)
        return undefined
      }
      if (result) {
        return result.then(
          () => this.#complete(connection, invocation),
          (thrown: unknown) => this.#refuse(connection, invocation, thrown),
        )
      }
      this.#complete(connection, invocation)
    } catch (thrown) {
      this.#refuse(connection, invocation, thrown)
    }
    return undefined
  }

  #refusalOf(connection: InvokingConnection, { target, streams }: Invocation): AppError | null {
    if (streams) return new AppError('bad-request', 'there are no streams here')
    const { limits, clock } = this.#deps
    const name = methodOf(target)
    const rate = name ? hubMethods[name].rate : UNKNOWN_METHOD_RATE
    if (!limits.allows(connection, rate, clock.now())) {
      connection.countRateRefusal()
      return new AppError('too-many-requests', 'slow down')
    }
    return name ? null : new AppError('not-found', 'there is no such method')
  }

  #invoke(connection: InvokingConnection, { target, arguments: args }: Invocation): MethodResult {
    const name = methodOf(target)
    if (!name) throw new AppError('not-found', 'there is no such method')
    return this.#deps.trace(`hub ${name}`, () => this.#handle(name, connection, args))
  }

  #handle<M extends HubMethod>(name: M, connection: InvokingConnection, args: unknown[]): MethodResult {
    const schema: v.GenericSchema<unknown, HubParsed<M>> = hubMethods[name].arguments
    const parsed = tryParse(schema, args)
    if (!parsed.success) throw new AppError('bad-request', parsed.issues[0].message)
    return this.#deps.handlers[name](connection, parsed.output)
  }

  #complete(connection: InvokingConnection, { id }: Invocation): void {
    if (id !== null) connection.complete(id)
  }

  #completeAfter(delivery: Delivery, connection: InvokingConnection, invocation: Invocation): void {
    if (invocation.id === null) return
    delivery.whenSettled((isDelivered) => {
      if (isDelivered) this.#complete(connection, invocation)
      else this.#refuse(connection, invocation, new AppError('not-delivered', 'the peer did not get it'))
    })
  }

  #refuse(connection: InvokingConnection, { id, target }: Invocation, thrown: unknown): void {
    const { metrics, log } = this.#deps
    const isRefusal = thrown instanceof AppError
    metrics.refused('invocation', isRefusal ? thrown.code : 'unknown', connection.accountId)
    if (!isRefusal)
      log.error({ err: thrown, connection: connection.id, method: target.slice(0, 64) }, 'hub: a method failed')
    if (id === null) return
    const error = isRefusal
      ? hubErrorText(thrown.code, thrown.message)
      : hubErrorText('unknown', 'something went wrong')
    connection.complete(id, error)
  }
}
