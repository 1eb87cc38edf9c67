import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type * as v from 'valibot'
import { tryParse } from '#protocol/parse.ts'
import type { Clock } from '../rules/clock.ts'

/** Time between two readings of a process's memory and processor time while it works on a request. */
const CHECK_MS = 50
const TICK_MS = 10
/** Half of the range of scores: when memory runs out, the system ends a process with this score before the server. */
const OUT_OF_MEMORY_SCORE = '500'
const KILOBYTE = 1024
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/**
 * `start`: the process never got ready. `limit`: it took too much time or memory and was killed. `end`: any other
 * fault.
 */
export type ProcessFault = { kind: 'start' | 'limit' | 'end'; why: string }

type Answer = { type: string; id?: number }

type Options<A extends Answer> = {
  program: URL
  clock: Clock
  /** Time to load the program and its libraries. */
  startMs: number
  execArgv?: readonly string[]
  /** Of the messages of the process. One of the type `ready` says that the process has started. */
  schema: v.GenericSchema<unknown, A>
  ready: () => void
  answered: (answer: A) => void
  /** Called when the process has failed and was killed: at most once, and never after `kill`. */
  failed: (fault: ProcessFault) => void
}

/**
 * The limits of one request. The deadline always applies; the limits of processor time and memory apply only on systems
 * that report them as Linux does.
 */
export type ProcessLimits = { deadlineMs: number; processorMs?: number; memoryBytes?: number }

/** A child process that responds to one request at a time. */
export type AnsweringProcess = {
  readonly isReady: boolean
  /** Sends a request with a new id. The process is killed if it does not respond within the limits. */
  ask(question: object, limits: ProcessLimits): void
  /** Resolves when the process has ended. */
  kill(): Promise<void>
}

function preferToBeEnded(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, OUT_OF_MEMORY_SCORE)
  } catch {
    // Systems other than Linux have no such score; a process that did not start fails without this.
  }
}

function startProcess(program: URL, execArgv: readonly string[]): ChildProcess {
  const child = fork(program, {
    // Sends bytes as bytes, not as JSON.
    serialization: 'advanced',
    // Passes neither the server's secrets nor a debugger's port. The output of libraries is dropped (stdio below).
    env: { NODE_ENV: 'production' },
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  preferToBeEnded(child.pid)
  return child
}

type Usage = { memoryBytes: number; processorMs: number }

/** Returns processor time and memory of a process; null if it has ended or the system does not report them. */
function usageOf(pid: number | undefined): Usage | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program may contain spaces; it ends at the last bracket. The third field follows.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return { memoryBytes: Number(kilobytes) * KILOBYTE, processorMs: ticks * TICK_MS }
  } catch {
    return null
  }
}

/** Replaces a process that the system refused to start. Reports the fault in a microtask, after the caller has the return value. */
function neverStarted(error: unknown, failed: (fault: ProcessFault) => void): AnsweringProcess {
  let isOver = false
  queueMicrotask(() => {
    if (!isOver) failed({ kind: 'start', why: String(error) })
  })
  return {
    isReady: false,
    ask() {},
    async kill() {
      isOver = true
    },
  }
}

export function startAnsweringProcess<A extends Answer>(options: Options<A>): AnsweringProcess {
  try {
    return attend(startProcess(options.program, options.execArgv ?? []), options)
  } catch (error) {
    return neverStarted(error, options.failed)
  }
}

function attend<A extends Answer>(child: ChildProcess, options: Options<A>): AnsweringProcess {
  const { clock, startMs, schema, ready, answered, failed } = options
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let isReady = false
  let isOver = false
  let ids = 0
  let current: number | null = null
  let cancelDeadline = clock.after(startMs, () => fail('start', 'it did not start in time'))
  let cancelCheck = () => {}

  function end(): void {
    isOver = true
    cancelDeadline()
    cancelCheck()
    child.kill('SIGKILL')
  }

  function fail(kind: ProcessFault['kind'], why: string): void {
    if (isOver) return
    end()
    failed({ kind: isReady ? kind : 'start', why })
  }

  /** Checks the use of time and memory. Processor time counts from the first check, since most requests end before a first check. */
  function checkUsage({
    processorMs = Number.POSITIVE_INFINITY,
    memoryBytes = Number.POSITIVE_INFINITY,
  }: ProcessLimits) {
    let startMs: number | null = null
    function check(): void {
      const usage = usageOf(child.pid)
      if (!usage) return
      startMs ??= usage.processorMs
      if (usage.memoryBytes > memoryBytes) fail('limit', 'a question took too much memory')
      else if (usage.processorMs - startMs > processorMs) fail('limit', 'a question took too much processor time')
      else cancelCheck = clock.after(CHECK_MS, check)
    }
    cancelCheck = clock.after(CHECK_MS, check)
  }

  child.on('message', (message) => {
    if (isOver) return
    const { success, output: answer } = tryParse(schema, message)
    if (!success) fail('end', 'an answer that is none')
    else if (answer.type === 'ready' && !isReady) {
      isReady = true
      cancelDeadline()
      ready()
    } else if (current === null || answer.id !== current) fail('end', 'an answer to another question')
    else {
      current = null
      cancelDeadline()
      cancelCheck()
      answered(answer)
    }
  })
  child.on('error', (error) => fail('end', error.message))
  child.on('exit', (code, signal) => fail('end', `it ended with ${code ?? signal}`))

  return {
    get isReady() {
      return isReady
    },
    ask(question, limits) {
      ids += 1
      current = ids
      cancelDeadline = clock.after(limits.deadlineMs, () => fail('limit', 'a request took too long'))
      if (limits.processorMs !== undefined || limits.memoryBytes !== undefined) checkUsage(limits)
      child.send({ ...question, id: ids }, (error) => error && fail('end', error.message))
    },
    async kill() {
      end()
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await closed
    },
  }
}

/** The time for which a process that failed is not restarted. It doubles with each failure until a request succeeds. */
export class RestartPause {
  readonly #clock: Clock
  #nextMs = FIRST_PAUSE_MS
  #until = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isOn(): boolean {
    return this.#clock.now() < this.#until
  }

  /** Returns the length of the pause in milliseconds. */
  begin(): number {
    const pauseMs = this.#nextMs
    this.#until = this.#clock.now() + pauseMs
    this.#nextMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    return pauseMs
  }

  worked(): void {
    this.#nextMs = FIRST_PAUSE_MS
  }
}
