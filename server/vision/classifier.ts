import { type ChildProcess, fork } from 'node:child_process'
import type { FastifyBaseLogger } from 'fastify'
import { tryParse } from '#protocol/parse.ts'
import type { FrameScores } from '../domain/frame-verdict.ts'
import type { Clock } from '../domain/ports.ts'
import { answerSchema, type Question } from './classifier-messages.ts'

/** Frames that may wait for the one that is being looked at; the next is skipped. */
const QUEUE_LIMIT = 8
/** A frame takes 50 to 200 ms, reading the model half a second; several times that on a machine that is short of time. */
const FRAME_DEADLINE_MS = 5_000
const START_DEADLINE_MS = 60_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

const PROGRAM = new URL('classifier.process.ts', import.meta.url)

type FrameCounts = { classified: number; skipped: number; failed: number }

export type Classifier = {
  /**
   * What the model thinks of the pixels, as `shrinkFrame` gives them. Null for a frame that was skipped, because too many wait
   * or the process rests after a fault, and for one that the process did not answer. Never rejects.
   */
  classify(pixels: Uint8Array): Promise<FrameScores | null>
  readonly counts: Readonly<FrameCounts>
  /** Ends the process. Frames that wait are answered with null. */
  stop(): Promise<void>
}

type Waiting = { pixels: Uint8Array; answer: (scores: FrameScores | null) => void }
type Running = { child: ChildProcess; ready: boolean; current: (Waiting & { id: number }) | null; cancel: () => void }

function startProcess(program: URL): ChildProcess {
  return fork(program, {
    // Pixels go as bytes, not as JSON.
    serialization: 'advanced',
    // Neither the server's secrets nor a debugger's port, and what libraries print is nobody's business.
    env: { NODE_ENV: 'production' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/**
 * Looks at frames in a process of its own, one after the other. The process starts with the first frame; after a fault it is
 * started again by the next frame that comes when its pause, doubled each time, is over.
 */
export function createClassifier(deps: { clock: Clock; log: FastifyBaseLogger; program?: URL }): Classifier {
  const { clock, log, program = PROGRAM } = deps
  const counts: FrameCounts = { classified: 0, skipped: 0, failed: 0 }
  const queue: Waiting[] = []
  let running: Running | null = null
  let pauseMs = FIRST_PAUSE_MS
  let restUntil = 0
  let ids = 0
  let stopped = false

  function giveUp(waiting: Waiting): void {
    counts.failed += 1
    waiting.answer(null)
  }

  /** The process is of no use any more: whoever waits is answered, and the next one comes after a pause. */
  function fail(of: Running, why: string): void {
    if (running !== of) return
    running = null
    of.cancel()
    of.child.kill('SIGKILL')
    if (of.current) giveUp(of.current)
    for (const waiting of queue.splice(0)) giveUp(waiting)
    if (stopped) return
    restUntil = clock.now() + pauseMs
    log.warn({ why, pauseMs }, 'the frame classifier failed')
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  function next(of: Running): void {
    if (!of.ready || of.current) return
    const waiting = queue.shift()
    if (!waiting) return
    ids += 1
    const question: Question = { id: ids, pixels: waiting.pixels }
    of.current = { ...waiting, id: ids }
    of.cancel = clock.after(FRAME_DEADLINE_MS, () => fail(of, 'a frame took too long'))
    of.child.send(question, (error) => error && fail(of, error.message))
  }

  function hear(of: Running, message: unknown): void {
    const answer = tryParse(answerSchema, message)
    if (running !== of) return
    if (!answer.success) fail(of, 'an answer that is none')
    else if (answer.output.type === 'ready') {
      of.ready = true
      of.cancel()
      next(of)
    } else if (answer.output.id !== of.current?.id) fail(of, 'an answer to another question')
    else {
      of.cancel()
      counts.classified += 1
      pauseMs = FIRST_PAUSE_MS
      of.current.answer(answer.output.scores)
      of.current = null
      next(of)
    }
  }

  function start(): Running {
    const child = startProcess(program)
    const started: Running = { child, ready: false, current: null, cancel: () => undefined }
    started.cancel = clock.after(START_DEADLINE_MS, () => fail(started, 'it did not start in time'))
    child.on('message', (message) => hear(started, message))
    child.on('error', (error) => fail(started, error.message))
    child.on('exit', (code, signal) => fail(started, `it ended with ${code ?? signal}`))
    return started
  }

  return {
    counts,
    classify(pixels) {
      const resting = running === null && clock.now() < restUntil
      if (stopped || resting || queue.length >= QUEUE_LIMIT) {
        counts.skipped += 1
        return Promise.resolve(null)
      }
      return new Promise((answer) => {
        queue.push({ pixels, answer })
        running ??= start()
        next(running)
      })
    },
    async stop() {
      stopped = true
      if (!running) return
      const { child } = running
      const ended = new Promise((resolve) => child.once('close', resolve))
      fail(running, 'the server ends')
      if (child.exitCode === null && child.signalCode === null) await ended
    },
  }
}
