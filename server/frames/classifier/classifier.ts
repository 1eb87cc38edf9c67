import type { FastifyBaseLogger } from 'fastify'
import type { PictureScores } from '#protocol/explicit-score.ts'
import { tryParse } from '#protocol/parse.ts'
import {
  type AnsweringProcess,
  type ProcessFault,
  startAnsweringProcess,
} from '../../platform/processes/answering-process.ts'
import { RestartPause } from '../../platform/processes/restart-pause.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { type Answer, answerSchema, type Question } from './classifier-messages.ts'

/** Most frames that wait while one is classified; a further frame is skipped. */
const QUEUE_LIMIT = 8
/** Time limits: a frame takes 50 to 200 ms, loading the model half a second, several times that under load. */
const FRAME_DEADLINE_MS = 5_000
const START_DEADLINE_MS = 60_000

const PROGRAM = new URL('classifier.process.ts', import.meta.url)

type Waiting = { pixels: Uint8Array; resolve: (scores: PictureScores | null) => void }

function readAnswer(message: unknown): Answer | null {
  const { success, output } = tryParse(answerSchema, message)
  return success ? output : null
}

export type Classifier = ReturnType<typeof createClassifier>

/**
 * Classifies frames, one after the other, in a process that starts with the first frame. After a fault it pauses; each
 * pause is twice as long as the one before.
 */
export function createClassifier(deps: { clock: Clock; log: FastifyBaseLogger; program?: URL | undefined }) {
  const { clock, log, program = PROGRAM } = deps
  const counts = { classified: 0, skipped: 0, failed: 0 }
  const queue: Waiting[] = []
  const pause = new RestartPause(clock)
  let running: AnsweringProcess | null = null
  let current: Waiting | null = null
  let stopped = false

  function giveUp(waiting: Waiting): void {
    counts.failed += 1
    waiting.resolve(null)
  }

  /** Resolves every waiting request with null; called after the process has ended. */
  function giveUpAll(): void {
    running = null
    if (current) giveUp(current)
    current = null
    for (const waiting of queue.splice(0)) giveUp(waiting)
  }

  function failed({ why }: ProcessFault): void {
    giveUpAll()
    log.warn({ why, pauseMs: pause.begin() }, 'frames: classifier failed')
  }

  function next(): void {
    if (!running?.isReady || current) return
    current = queue.shift() ?? null
    if (!current) return
    const question: Omit<Question, 'id'> = { pixels: current.pixels }
    running.ask(question, { deadlineMs: FRAME_DEADLINE_MS })
  }

  function answered(answer: Answer): void {
    if (answer.type !== 'scores') return
    counts.classified += 1
    pause.worked()
    current?.resolve(answer.scores)
    current = null
    next()
  }

  function start(): AnsweringProcess {
    const startMs = START_DEADLINE_MS
    return startAnsweringProcess({ program, clock, startMs, read: readAnswer, ready: next, answered, failed })
  }

  return {
    counts,
    /** Never rejects. Resolves with null for a frame that was skipped (too many wait, or a pause after a fault) or got no response. */
    classify(pixels: Uint8Array): Promise<PictureScores | null> {
      const isPaused = running === null && pause.isOn
      if (stopped || isPaused || queue.length >= QUEUE_LIMIT) {
        counts.skipped += 1
        return Promise.resolve(null)
      }
      return new Promise((resolve) => {
        queue.push({ pixels, resolve })
        running ??= start()
        next()
      })
    },
    /** Ends the process; `classify` resolves with null for the frames that wait. */
    async stop(): Promise<void> {
      stopped = true
      const ended = running?.kill()
      giveUpAll()
      await ended
    },
  }
}
