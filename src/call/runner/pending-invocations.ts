import { AppError, toAppError } from '#protocol/errors.ts'
import type { HubArguments, HubMethod, HubMethods, WhileAway } from '#protocol/hub.ts'
import type { Log } from '../../platform/log.ts'
import { deferred } from '../../platform/rules/deferred.ts'
import type { HubClient } from '../ports.ts'

/** How long an invocation waits for the hub: until the client gives up, the match ends or the visit ends. */
type Lifetime = Exclude<WhileAway, 'reject'>
/** The lifetime from the table of hub methods. Only a type, so that the bundle does not contain the table. */
type LifetimeOf<M extends HubMethod> = Lifetime & HubMethods[M]['whileAway']

type Invocation = {
  lifetime: Lifetime
  send: () => Promise<void>
  resolve: () => void
  reject: (error: AppError) => void
  attempts: number
  /** The invocation is sent, and the hub has not completed it yet. */
  isUnderWay: boolean
}

/** Most attempts of an invocation, in case the hub accepts connections but never completes an invocation. */
const MAX_ATTEMPTS = 4

/** Returns the error if the invocation is not sent again, or null if it is. */
function finalError({ attempts, lifetime }: Invocation, error: AppError, gaveUp: boolean): AppError | null {
  if (error.code !== 'hub-unavailable') return error
  if (attempts >= MAX_ATTEMPTS) return new AppError('not-delivered', error.message)
  return gaveUp && lifetime === 'connection' ? error : null
}

export type PendingInvocations = ReturnType<typeof createPendingInvocations>

/**
 * Sends invocations in order. Those that were not completed when the connection was lost are sent again in the same
 * order, up to `MAX_ATTEMPTS` times in total. The hub may receive an invocation more than once, but never out of order.
 */
export function createPendingInvocations(hub: HubClient, log: Pick<Log, 'error'>) {
  let pending: Invocation[] = []
  let isConnected = false
  let gaveUp = false

  function drop(which: (invocation: Invocation) => boolean, error: AppError): void {
    const dropped = pending.filter(which)
    pending = pending.filter((invocation) => !which(invocation))
    for (const { reject } of dropped) reject(error)
  }

  function send(invocation: Invocation): void {
    invocation.isUnderWay = true
    invocation.attempts += 1
    invocation.send().then(
      () => {
        pending = pending.filter((other) => other !== invocation)
        invocation.resolve()
      },
      (thrown: unknown) => failed(invocation, toAppError(thrown)),
    )
  }

  function failed(invocation: Invocation, error: AppError): void {
    invocation.isUnderWay = false
    if (!pending.includes(invocation)) return
    const final = finalError(invocation, error, gaveUp)
    if (final) drop((other) => other === invocation, final)
    else sendAll()
  }

  function sendAll(): void {
    if (!isConnected) return
    for (const invocation of pending.filter(({ isUnderWay }) => !isUnderWay)) send(invocation)
  }

  /**
   * Resolves when the hub has completed the invocation. Rejects with the hub's code, with `hub-unavailable` or
   * `not-delivered` if the hub cannot be reached, and with `aborted` if `lifetime` ends first. `args` is called for
   * every attempt, because this user's connection id may have changed.
   */
  function invoke<M extends HubMethod>(method: M, lifetime: LifetimeOf<M>, args: () => HubArguments<M>): Promise<void> {
    if (gaveUp && lifetime === 'connection') return Promise.reject(new AppError('hub-unavailable'))
    const { promise, resolve, reject } = deferred<void>()
    const invocation = { lifetime, send: () => hub.invoke(method, ...args()), resolve, reject }
    pending.push({ ...invocation, attempts: 0, isUnderWay: false })
    sendAll()
    return promise
  }

  return {
    invoke,

    /** Invokes without a result. A refusal is only logged: an event of the server then changes the state. */
    send<M extends HubMethod>(method: M, lifetime: LifetimeOf<M>, args: () => HubArguments<M>): void {
      invoke(method, lifetime, args).catch((thrown: unknown) => {
        if (toAppError(thrown).code !== 'aborted') log.error(`${method} was refused`, thrown)
      })
    },

    hubConnected(): void {
      isConnected = true
      gaveUp = false
      sendAll()
    },

    /** The hub client is trying to reconnect. */
    hubLost(): void {
      isConnected = false
      gaveUp = false
    },

    hubGaveUp(): void {
      isConnected = false
      gaveUp = true
      drop(({ lifetime, isUnderWay }) => lifetime === 'connection' && !isUnderWay, new AppError('hub-unavailable'))
    },

    endMatch(): void {
      drop(({ lifetime }) => lifetime !== 'visit', new AppError('aborted', 'The match ended before'))
    },

    endVisit(): void {
      isConnected = false
      gaveUp = false
      drop(() => true, new AppError('aborted', 'The visit ended before'))
    },
  }
}
