import { expose, transferHandlers, transfer as transferOnce, wrap } from 'comlink'
import * as v from 'valibot'
import { AppError, type ErrorShape, errorShapeSchema, toAppError } from '#protocol/errors.ts'
import { parse, tryParse } from '#protocol/parse.ts'
import { isTracing, span, startTracing } from './trace.ts'

/** Above the longest call that an HTTP client may make: three attempts, their pauses, a wait for the network. */
const CALL_DEADLINE_MS = 5 * 60_000

/**
 * Marks `value` to be moved, not copied, when it is handed to a remote; the sender owns it no longer. Where the call fails
 * before it is sent the sender still does.
 */
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
    const error = tryParse(errorShapeSchema, shape)
    if (!error.success) throw new AppError('worker-error', 'A worker failed without saying how')
    throw new AppError(error.output.code, error.output.message, error.output.details)
  },
})

type Method = (...args: unknown[]) => Promise<unknown>

/** What one call is known by at both ends. `abortable`: its last argument stands for a signal that the caller holds. */
const callSchema = v.object({ id: v.number(), name: v.string(), abortable: v.boolean(), traced: v.boolean() })
type Call = v.InferOutput<typeof callSchema>

/** When the work ran, in milliseconds since 1970: the threads' own clocks start at different times. */
type Ran = { from: number; to: number }
const outcomeSchema = v.object({
  value: v.unknown(),
  ran: v.nullable(v.object({ from: v.number(), to: v.number() })),
})

/** What `serve` exposes in place of the target: one door, so that a call can be told apart from others and given up. */
type Door = {
  call(call: Call, ...args: unknown[]): Promise<{ value: unknown; ran: Ran | null }>
  giveUp(id: number): void
}

/** Answers the other side's calls on `endpoint`, or in a worker the calls of the page that started it. */
export function serve(target: object, endpoint?: MessagePort): void {
  const methods = new Map(Object.entries(target) as [string, Method][])
  const running = new Map<number, AbortController>()

  function argumentsOf({ id, abortable }: Call, args: unknown[]): unknown[] {
    if (!abortable) return args
    const controller = new AbortController()
    running.set(id, controller)
    return [...args, controller.signal]
  }

  async function measured(call: Call, method: Method, args: unknown[]): Promise<{ value: unknown; ran: Ran }> {
    const start = performance.now()
    try {
      const value = await method(...args)
      return { value, ran: { from: sinceEpoch(start), to: sinceEpoch(performance.now()) } }
    } finally {
      span('Workers', `run ${labelOf(call)}`, start)
    }
  }

  const door: Door = {
    async call(untrusted, ...args) {
      const call = parse(callSchema, untrusted)
      const method = methods.get(call.name)
      if (!method) throw new AppError('worker-error', `There is no method ${call.name}`)
      if (call.traced) startTracing()
      try {
        const whole = argumentsOf(call, args)
        return call.traced ? await measured(call, method, whole) : { value: await method(...whole), ran: null }
      } finally {
        running.delete(call.id)
      }
    },
    giveUp(id) {
      running.get(id)?.abort()
    },
  }
  expose(door, endpoint)
}

/** A live line to what `serve` exposes. Its methods return promises, so that `T` is its own remote. */
export type Connection<T> = {
  readonly remote: T
  /** Gives the line up: calls in flight and later ones reject with `worker-died`. A port is closed, a worker lives on. */
  close(): void
}

export type ConnectOptions<T> = {
  /** Runs once when the other end dies. */
  onDeath?: () => void
  /** Milliseconds that a call may take before it rejects with `timeout`, where it is not CALL_DEADLINE_MS. */
  deadlines?: Partial<Record<keyof T & string, number>>
}

/** Comlink shuts a line whose proxy was collected, and calls in flight then hang (comlink #692). */
const kept = new Set<object>()

/**
 * Calls what `serve` exposes at the other end. When that end dies, calls in flight and later ones reject with
 * `worker-died`. A terminated worker and a port whose other end is gone send no event: who knows of it closes the
 * connection. An AbortSignal as last argument gives the call up: it rejects with `aborted`, and the work is told.
 */
export function connect<T extends object>(
  endpoint: Worker | MessagePort,
  options: ConnectOptions<T> = {},
): Connection<T> {
  const door = wrap<Door>(endpoint)
  kept.add(door)
  const deadlines: Partial<Record<string, number>> = options.deadlines ?? {}
  const pending = new Set<(error: AppError) => void>()
  const methods = new Map<string, Method>()
  let open = true
  let calls = 0

  function close(): void {
    open = false
    kept.delete(door)
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

  /** The rest of a call that nobody waits for any more; where the line is dead there is nobody to tell. */
  function giveUp(id: number): void {
    if (open) door.giveUp(id).catch(() => {})
  }

  function send(name: string, given: unknown[]): Promise<unknown> {
    const last = given.at(-1)
    const signal = last instanceof AbortSignal ? last : null
    const args = signal ? given.slice(0, -1) : given
    const call: Call = { id: ++calls, name, abortable: signal !== null, traced: isTracing() }
    return new Promise((resolve, reject) => {
      if (!open) throw new AppError('worker-died')
      if (signal?.aborted) throw new AppError('aborted')
      const start = performance.now()
      const abandon = (code: 'aborted' | 'timeout') => () => {
        settle(() => reject(new AppError(code, `The call of ${name} was given up`)))
        giveUp(call.id)
      }
      const aborted = abandon('aborted')
      const timer = setTimeout(abandon('timeout'), deadlines[name] ?? CALL_DEADLINE_MS)
      const fail = (error: AppError) => settle(() => reject(error))
      function settle(finish: () => void): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', aborted)
        pending.delete(fail)
        finish()
      }
      pending.add(fail)
      signal?.addEventListener('abort', aborted)
      door.call(call, ...args).then(
        (outcome) => {
          const { value, ran } = parse(outcomeSchema, outcome)
          if (call.traced) draw(call, start, ran)
          settle(() => resolve(value))
        },
        (thrown: unknown) => {
          if (call.traced) draw(call, start, null)
          fail(toAppError(thrown, 'worker-error'))
        },
      )
    })
  }

  const remote = new Proxy<Record<string, Method>>(
    {},
    {
      get(_, name) {
        // A remote is not a promise, whoever awaits it.
        if (typeof name !== 'string' || name === 'then') return undefined
        const method = methods.get(name) ?? ((...args) => send(name, args))
        methods.set(name, method)
        return method
      },
    },
  )
  return { remote: remote as T, close }
}

/** The same at both ends of a line, so that the two sides of a call are found together. */
function labelOf({ name, id }: Call): string {
  return `${name} #${id}`
}

function sinceEpoch(time: number): number {
  return performance.timeOrigin + time
}

/** The caller's side of one call: the whole of it, and within it the way there, the work and the way back. */
function draw(call: Call, start: number, ran: Ran | null): void {
  const end = performance.now()
  span('Workers', labelOf(call), start, end)
  if (!ran) return
  const [from, to] = [ran.from - performance.timeOrigin, ran.to - performance.timeOrigin]
  span('Workers', `queue ${labelOf(call)}`, start, from)
  span('Workers', `work ${labelOf(call)}`, from, to)
  span('Workers', `reply ${labelOf(call)}`, to, end)
}
