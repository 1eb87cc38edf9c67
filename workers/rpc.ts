import { expose, transferHandlers, transfer as transferOnce, wrap } from 'comlink'
import * as v from 'valibot'
import { AppError, type ErrorShape, errorShapeSchema, toAppError } from '#protocol/errors.ts'
import { span } from './trace.ts'

/** Marks `value` to be moved, not copied, when it is handed to a remote; the sender owns it no longer. */
export const transfer: <T extends object>(value: T, moved: Transferable[]) => T = transferOnce

const comlinkThrow = transferHandlers.get('throw')

// Comlink's own handler keeps an error's message and stack and drops its code.
transferHandlers.set('throw', {
  canHandle: (value): value is { value: unknown } => comlinkThrow?.canHandle(value) ?? false,
  serialize(thrown): [ErrorShape, Transferable[]] {
    const { code, message, details } = toAppError((thrown as { value: unknown }).value, 'worker-error')
    return [{ code, message, details }, []]
  },
  deserialize(shape) {
    const error = v.safeParse(errorShapeSchema, shape)
    if (!error.success) throw new AppError('worker-error', 'A worker failed without saying how')
    throw new AppError(error.output.code, error.output.message, error.output.details)
  },
})

type Method = (...args: unknown[]) => Promise<unknown>

/** Answers the other side's calls on `endpoint`, or in a worker the calls of the page that started it. */
export function serve(target: object, endpoint?: MessagePort): void {
  let calls = 0
  const methods = Object.entries(target).map(([name, method]: [string, Method]): [string, Method] => [
    name,
    async (...args) => {
      const label = `run ${name} #${++calls}`
      const start = performance.now()
      try {
        return await method(...args)
      } finally {
        span('Workers', label, start)
      }
    },
  ])
  expose(Object.fromEntries(methods), endpoint)
}

/** A live line to what `serve` exposes. Its methods return promises, so that `T` is its own remote. */
export type Connection<T> = {
  readonly remote: T
  /** Gives the line up: calls in flight and later ones reject with `worker-died`. A port is closed, a worker lives on. */
  close(): void
}

/** Comlink shuts a line whose proxy was collected, and calls in flight then hang (comlink #692). */
const kept = new Set<object>()

/**
 * Calls what `serve` exposes at the other end. When that end dies, calls in flight and later ones reject with `worker-died`
 * and `onDeath` runs once. A terminated worker and a port whose other end is gone send no event: who knows of it closes the
 * connection.
 */
export function connect<T extends object>(endpoint: Worker | MessagePort, onDeath?: () => void): Connection<T> {
  const proxy = wrap<Record<string, Method>>(endpoint)
  kept.add(proxy)
  const pending = new Set<(error: AppError) => void>()
  const methods = new Map<string, Method>()
  let open = true
  let calls = 0

  function close(): void {
    open = false
    kept.delete(proxy)
    for (const reject of pending) reject(new AppError('worker-died'))
    pending.clear()
    if (endpoint instanceof MessagePort) endpoint.close()
  }

  for (const event of ['error', 'messageerror']) {
    endpoint.addEventListener(event, () => {
      if (!open) return
      close()
      onDeath?.()
    })
  }

  function methodOf(name: string): Method {
    const remote = proxy[name] as Method
    return (...args) =>
      new Promise((resolve, reject) => {
        if (!open) throw new AppError('worker-died')
        // Both ends count the calls of a line in the same order: equal numbers are the two sides of one call.
        const label = `${name} #${++calls}`
        const start = performance.now()
        pending.add(reject)
        remote(...args)
          .then(resolve, (thrown: unknown) => reject(toAppError(thrown, 'worker-error')))
          .finally(() => {
            pending.delete(reject)
            span('Workers', label, start)
          })
      })
  }

  const remote = new Proxy<Record<string, Method>>(
    {},
    {
      get(_, name) {
        // A remote is not a promise, whoever awaits it.
        if (typeof name !== 'string' || name === 'then') return undefined
        const method = methods.get(name) ?? methodOf(name)
        methods.set(name, method)
        return method
      },
    },
  )
  return { remote: remote as T, close }
}
