import { expose, transferHandlers, transfer as transferOnce, wrap } from 'comlink'
import { type Checked, isAnything, isFlag, isNullOr, isNumber, isObjectOf, isText } from '#protocol/checks.ts'
import { AppError, type ErrorShape, isErrorShape, toAppError } from '#protocol/errors.ts'
import { JOINS_STACKS, joinStacks, stackOf, watchSlowRequest } from './joined-stacks.ts'
import { isMeasuring, isTracing, span, startTracing } from './trace.ts'

/**
 * Deadline of a request: longer than the longest HTTP request of the network worker, with three attempts, their pauses
 * and a wait for the network.
 */
const REQUEST_DEADLINE_MS = 5 * 60_000

/**
 * Marks `value` to be transferred, not copied, when it is an argument of a remote method. The sender no longer owns it, unless
 * the request fails before it is sent.
 */
export const transfer: <T extends object>(value: T, moved: Transferable[]) => T = transferOnce

const isStack = isObjectOf({ stack: isText })
const comlinkThrow = transferHandlers.get('throw')

// Comlink's own handler keeps an error's message and stack, and drops its code.
transferHandlers.set('throw', {
  canHandle: (value): value is { value: unknown } => comlinkThrow?.canHandle(value) ?? false,
  serialize(thrown): [ErrorShape & { stack?: string }, Transferable[]] {
    const { value } = thrown as { value: unknown }
    const { code, message, details } = toAppError(value, 'worker-error')
    return [{ code, message, details, ...(JOINS_STACKS && { stack: stackOf(value) }) }, []]
  },
  deserialize(shape) {
    if (!isErrorShape(shape)) throw new AppError('worker-error', 'Malformed worker error')
    const error = new AppError(shape.code, shape.message, shape.details)
    if (JOINS_STACKS && isStack(shape)) error.stack = shape.stack
    throw error
  },
})

type Method = (...args: unknown[]) => Promise<unknown>

/**
 * Describes one request for the thread that runs it. `abortable`: the method's last argument is a signal, which the caller controls.
 * `measured`: the caller wants to know when the method ran. `traced`: the thread draws its spans from now on.
 */
const isRequest = isObjectOf({ id: isNumber, name: isText, abortable: isFlag, measured: isFlag, traced: isFlag })
type WorkerRequest = Checked<typeof isRequest>

/**
 * When the method ran, in milliseconds since 1970, since each thread's `performance.now()` starts at another time. From
 * `from` to `waited` the method computed without a wait, so that no other request could begin.
 */
type Ran = { from: number; waited: number; to: number }
const isRan = isObjectOf({ from: isNumber, waited: isNumber, to: isNumber })
const isOutcome = isObjectOf({ value: isAnything, ran: isNullOr(isRan) })

/** A task of a thread that takes longer than this is long, as in the browser's own reports. */
const LONG_TASK_MS = 50

/** What `serve` exposes in place of the target, so that a request has an id and can be aborted. */
type Dispatcher = {
  dispatch(request: WorkerRequest, ...args: unknown[]): Promise<{ value: unknown; ran: Ran | null }>
  abort(id: number): void
}

/** Serves the methods of `target` to the other end of `endpoint`; by default, in a worker, to the page that started it. */
export function serve(target: object, endpoint?: MessagePort): void {
  const methods = new Map(Object.entries(target) as [string, Method][])
  const running = new Map<number, AbortController>()

  function argumentsOf({ id, abortable }: WorkerRequest, args: unknown[]): unknown[] {
    if (!abortable) return args
    const controller = new AbortController()
    running.set(id, controller)
    return [...args, controller.signal]
  }

  const dispatcher: Dispatcher = {
    async dispatch(request, ...args) {
      if (!isRequest(request)) throw new AppError('worker-error', 'Malformed request')
      const method = methods.get(request.name)
      if (!method) throw new AppError('worker-error', `No method ${request.name}`)
      if (request.traced) startTracing()
      const start = performance.now()
      try {
        const result = method(...argumentsOf(request, args))
        const waited = performance.now()
        const value = await result
        const ran = { from: sinceEpoch(start), waited: sinceEpoch(waited), to: sinceEpoch(performance.now()) }
        return { value, ran: request.measured ? ran : null }
      } finally {
        running.delete(request.id)
        if (request.measured) span('Workers', `run ${labelOf(request)}`, start)
      }
    },
    abort(id) {
      running.get(id)?.abort()
    },
  }
  expose(dispatcher, endpoint)
}

/** An open connection to what `serve` exposes. `T` has only asynchronous methods, so that the remote is a `T` too. */
export type WorkerConnection<T> = {
  readonly remote: T
  /** Closes the connection: requests in flight and later ones reject with `worker-died`. Closes a port; a worker keeps running. */
  close(): void
}

export type ConnectOptions<T> = {
  /** Called once, when the other end dies. */
  onDeath?: () => void
  /** Milliseconds after which a request to a method rejects with `timeout` and the detail `worker`; REQUEST_DEADLINE_MS by default. */
  deadlines?: Partial<Record<keyof T & string, number>>
}

/** Keeps proxies from garbage collection, at which Comlink closes the endpoint and requests in flight hang (comlink #692). */
const kept = new Set<object>()

/**
 * Connects to what `serve` exposes at the other end. When that end dies, requests in flight and later ones reject with
 * `worker-died`. A terminated worker and a port whose other end is gone send no event: the caller must close the connection.
 * An AbortSignal as last argument aborts the request: it rejects with `aborted`, and the method's own signal is aborted.
 */
export function connect<T extends object>(
  endpoint: Worker | MessagePort,
  options: ConnectOptions<T> = {},
): WorkerConnection<T> {
  const dispatcher = wrap<Dispatcher>(endpoint)
  kept.add(dispatcher)
  const deadlines: Partial<Record<string, number>> = options.deadlines ?? {}
  const pending = new Set<(error: AppError) => void>()
  let open = true
  let lastId = 0

  function close(): void {
    open = false
    kept.delete(dispatcher)
    for (const reject of pending) reject(new AppError('worker-died'))
    pending.clear()
    if (endpoint instanceof MessagePort) endpoint.close()
  }

  for (const event of ['error', 'messageerror']) {
    endpoint.addEventListener(event, () => {
      if (!open) return
      close()
      options.onDeath?.()
    })
  }

  /** Aborts the method at the other end, unless that end is dead. */
  function abortRemote(id: number): void {
    if (open) dispatcher.abort(id).catch(() => {})
  }

  function send(name: string, given: unknown[]): Promise<unknown> {
    const last = given.at(-1)
    const signal = last instanceof AbortSignal ? last : null
    const args = signal ? given.slice(0, -1) : given
    lastId += 1
    const traced = isTracing()
    const request: WorkerRequest = { id: lastId, name, abortable: signal !== null, measured: isMeasuring(), traced }
    const caller = JOINS_STACKS ? new Error(name) : null
    return new Promise((resolve, reject) => {
      if (!open) throw new AppError('worker-died')
      if (signal?.aborted) throw new AppError('aborted')
      const start = performance.now()
      const abandon = (code: 'aborted' | 'timeout') => () => {
        settle(() => reject(new AppError(code, `${name}: ${code}`, { worker: true })))
        abortRemote(request.id)
      }
      const aborted = abandon('aborted')
      const timer = setTimeout(abandon('timeout'), deadlines[name] ?? REQUEST_DEADLINE_MS)
      const unwatch = caller && watchSlowRequest(labelOf(request), caller)
      const fail = (error: AppError) => settle(() => reject(error))
      function settle(finish: () => void): void {
        clearTimeout(timer)
        unwatch?.()
        signal?.removeEventListener('abort', aborted)
        pending.delete(fail)
        finish()
      }
      pending.add(fail)
      signal?.addEventListener('abort', aborted)
      dispatcher.dispatch(request, ...args).then(
        (outcome) => {
          if (!isOutcome(outcome)) return fail(new AppError('worker-error', 'Malformed worker response'))
          if (request.measured) drawSpans(request, start, outcome.ran)
          settle(() => resolve(outcome.value))
        },
        (thrown: unknown) => {
          if (request.measured) drawSpans(request, start, null)
          const error = toAppError(thrown, 'worker-error')
          if (caller) joinStacks(error, labelOf(request), caller)
          fail(error)
        },
      )
    })
  }

  return { remote: createRemote(send) as T, close }
}

/** Returns an object whose every property is a method that sends a request. */
function createRemote(send: (name: string, args: unknown[]) => Promise<unknown>): Record<string, Method> {
  const methods = new Map<string, Method>()
  return new Proxy<Record<string, Method>>(
    {},
    {
      get(_, name) {
        // A remote has no `then`, so that it can be awaited or returned from an async function.
        if (typeof name !== 'string' || name === 'then') return undefined
        const method = methods.get(name) ?? ((...args) => send(name, args))
        methods.set(name, method)
        return method
      },
    },
  )
}

/** Returns the same label at both ends, so that the two sides of a request are found together in a trace. */
function labelOf({ name, id }: WorkerRequest): string {
  return `${name} #${id}`
}

function sinceEpoch(time: number): number {
  return performance.timeOrigin + time
}

/** Draws one request on the caller's side: the whole request, and within it the way to the worker, the work and the way back. */
function drawSpans(request: WorkerRequest, start: number, ran: Ran | null): void {
  const end = performance.now()
  span('Workers', labelOf(request), start, end)
  if (!ran) return
  const [from, to] = [ran.from - performance.timeOrigin, ran.to - performance.timeOrigin]
  span('Workers', `queue ${labelOf(request)}`, start, from)
  span('Workers', `work ${labelOf(request)}`, from, to)
  const waited = ran.waited - performance.timeOrigin
  if (waited - from > LONG_TASK_MS) span('Workers', `task ${labelOf(request)}`, from, waited, 'error')
  span('Workers', `reply ${labelOf(request)}`, to, end)
}
