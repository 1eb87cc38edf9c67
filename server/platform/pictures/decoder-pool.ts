import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'
import {
  type AnsweringProcess,
  type ProcessFault,
  type ProcessLimits,
  startAnsweringProcess,
} from '../processes/answering-process.ts'
import { RestartPause } from '../processes/restart-pause.ts'
import type { Clock } from '../rules/clock.ts'
import { ExpiringMap } from '../rules/expiring-map.ts'
import { type DecodedPicture, type DecoderAnswer, type DecoderTask, decoderAnswerSchema } from './decoder-messages.ts'

/** While one is busy for seconds, the other goes on. */
const PROCESSES = 2
/** Profile pictures are large and few, frames small and many: one process is always left to frames. */
const PICTURES_AT_ONCE = 1
/** The process starts in a quarter of a second. */
const START_DEADLINE_MS = 20_000
/** The largest number of waiting jobs of all accounts, for profile pictures and for frames, so that neither blocks the other. */
const QUEUE_LIMIT = 64
const QUEUE_BYTES = 32 * 1024 * 1024
/** The largest number of waiting jobs of one account, besides the picture that is being decoded. */
const ACCOUNT_LIMIT = 3
/** Time for which an account is refused after its picture was killed. */
const REST_MS = 60_000
const RESTING_LIMIT = 10_000
const memoryBytes = 512 * 1024 * 1024
/**
 * A frame takes 5 to 60 ms of a processor, a picture of 24 megapixels up to a second and 330 MB. On a machine that is short of time the
 * deadline comes later than the limit of processor time, because elapsed time then says little about the file.
 */
const FRAME_PROCESS_LIMITS: ProcessLimits = { processorMs: 2_000, deadlineMs: 8_000, memoryBytes }
const PICTURE_PROCESS_LIMITS: ProcessLimits = { processorMs: 5_000, deadlineMs: 15_000, memoryBytes }
/** A process that keeps more than this after a picture is replaced. It starts with 70 MB. */
const KEPT_MEMORY_LIMIT = 256 * 1024 * 1024
const HEAP_MB = 128
/** A picture whose process ended for no known reason is decoded once more. */
const TRIES = 2

const PROGRAM = new URL('decoder.process.ts', import.meta.url)

type DecoderCounts = { decoded: number; unreadable: number; killed: number; refused: number }

type DecoderJob = {
  task: DecoderTask
  accountId: string
  /** True for a picture that the server itself decodes again: the limits of an account do not apply. */
  isInternal?: true
}

export type DecoderPool = {
  /**
   * Resolves with null for a file that cannot be decoded, or not within the limits of time and memory. Pictures of one account are
   * decoded one after the other. Rejects with too-many-requests where the account has too many waiting or has just had one killed,
   * with unavailable where too many wait in all or no process starts.
   */
  decode(job: DecoderJob): Promise<DecodedPicture | null>
  readonly counts: Readonly<DecoderCounts>
  /** Ends the processes and rejects the jobs that wait. */
  stop(): Promise<void>
}

type Waiting = DecoderJob & {
  tries: number
  /** Jobs of a lower round come first. Each further job of an account is one round later than the one before it. */
  round: number
  resolve: (picture: DecodedPicture | null) => void
  reject: (error: AppError) => void
}
/** A slot for a process. The process starts with the first job, and again with the next one after it has ended. */
type Slot = { process: AnsweringProcess | null; job: Waiting | null }

const isPicture = ({ task }: DecoderJob) => task.task === 'shrink'
const unavailable = () => new AppError('unavailable', 'Too many pictures are being read. Try again in a moment.')

function tooMany(message: string, retryAfter: number): AppError {
  return new AppError('too-many-requests', message, { retryAfter })
}

function readAnswer(message: unknown): DecoderAnswer | null {
  const { success, output } = tryParse(decoderAnswerSchema, message)
  return success ? output : null
}

/** Decodes pictures in processes of their own, which are killed when a picture takes too long or too much memory. */
export function createDecoderPool(deps: { clock: Clock; log: FastifyBaseLogger; program?: URL }): DecoderPool {
  const { clock, log, program = PROGRAM } = deps
  const counts: DecoderCounts = { decoded: 0, unreadable: 0, killed: 0, refused: 0 }
  const slots: Slot[] = Array.from({ length: PROCESSES }, () => ({ process: null, job: null }))
  const waiting: Waiting[] = []
  const resting = new ExpiringMap<string, true>(REST_MS, RESTING_LIMIT)
  const pause = new RestartPause(clock)
  /** The round of the job that was started last. */
  let round = 0
  let stopped = false

  function isFullFor(newcomer: DecoderJob): boolean {
    const alike = waiting.filter((job) => isPicture(job) === isPicture(newcomer))
    const bytes = alike.reduce((sum, job) => sum + job.task.bytes.byteLength, newcomer.task.bytes.byteLength)
    return alike.length >= QUEUE_LIMIT || bytes > QUEUE_BYTES
  }

  /** Jobs of the same account that wait longer than this one. */
  const earlierOwn = (job: Waiting) =>
    waiting.slice(0, waiting.indexOf(job)).filter(({ accountId }) => accountId === job.accountId).length

  /** Refuses the latest job of the account with the most of this kind, where that has more of them than the newcomer's account will have. */
  function makeRoomFor(newcomer: DecoderJob): void {
    const alike = waiting.filter((job) => isPicture(job) === isPicture(newcomer) && !job.isInternal)
    const own = waiting.filter(({ accountId }) => accountId === newcomer.accountId).length
    const [last] = alike.sort((one, other) => earlierOwn(other) - earlierOwn(one))
    if (!last || earlierOwn(last) <= own) return
    waiting.splice(waiting.indexOf(last), 1)
    counts.refused += 1
    last.reject(unavailable())
  }

  function refusalOf(job: DecoderJob): AppError | null {
    const { accountId, isInternal } = job
    if (stopped || isFullFor(job)) return unavailable()
    if (isInternal) return null
    if (resting.get(accountId, clock.now()))
      return tooMany('An earlier picture took too long. Try again later.', REST_MS / 1_000)
    const own = waiting.filter((other) => other.accountId === accountId).length
    return own >= ACCOUNT_LIMIT ? tooMany('Earlier pictures are still being read. Try again in a moment.', 1) : null
  }

  function mayStart(job: Waiting): boolean {
    const running = slots.flatMap((slot) => slot.job ?? [])
    if (running.some(({ accountId }) => accountId === job.accountId)) return false
    return !isPicture(job) || running.filter(isPicture).length < PICTURES_AT_ONCE
  }

  function roundFor({ accountId }: DecoderJob): number {
    const own = [...waiting, ...slots.flatMap(({ job }) => job ?? [])].filter((job) => job.accountId === accountId)
    return Math.max(round, ...own.map((job) => job.round + 1))
  }

  /** Takes the next job that may start: the first of every account before the second of any, then the oldest. */
  function takeNext(): Waiting | null {
    const [next] = waiting.filter(mayStart).sort((one, other) => one.round - other.round)
    if (!next) return null
    waiting.splice(waiting.indexOf(next), 1)
    round = Math.max(round, next.round)
    return next
  }

  function ask({ process, job }: Slot): void {
    if (job && process?.isReady) process.ask(job.task, isPicture(job) ? PICTURE_PROCESS_LIMITS : FRAME_PROCESS_LIMITS)
  }

  function refuseAll(): void {
    for (const { reject } of waiting.splice(0)) {
      counts.refused += 1
      reject(unavailable())
    }
  }

  function assign(): void {
    // A process that runs is used before another is started.
    const free = slots.filter(({ job }) => !job).sort((one, other) => Number(!one.process) - Number(!other.process))
    for (const slot of free) {
      if (!slot.process && pause.isOn) continue
      slot.job = takeNext()
      if (!slot.job) break
      slot.process ??= start(slot)
      ask(slot)
    }
    if (pause.isOn && slots.every(({ process }) => !process)) refuseAll()
  }

  function answered(slot: Slot, answer: DecoderAnswer): void {
    const { job } = slot
    if (answer.type !== 'decoded' || !job) return
    pause.worked()
    slot.job = null
    counts[answer.picture ? 'decoded' : 'unreadable'] += 1
    if (answer.memory > KEPT_MEMORY_LIMIT) {
      void slot.process?.kill()
      slot.process = null
    }
    job.resolve(answer.picture)
    assign()
  }

  function kill(job: Waiting): void {
    counts.killed += 1
    if (!job.isInternal) resting.set(job.accountId, true, clock.now())
    job.resolve(null)
    // The account's waiting jobs would be refused by now.
    for (const own of waiting.filter(({ accountId, isInternal }) => accountId === job.accountId && !isInternal)) {
      waiting.splice(waiting.indexOf(own), 1)
      counts.refused += 1
      own.reject(tooMany('An earlier picture took too long. Try again later.', REST_MS / 1_000))
    }
  }

  function failed(slot: Slot, { kind, why }: ProcessFault): void {
    const { job } = slot
    slot.process = null
    slot.job = null
    const pauseMs = kind === 'start' ? pause.begin() : 0
    log.warn({ why, pauseMs, ...(job && { accountId: job.accountId }) }, 'pictures: the decoding process was ended')
    if (job && kind === 'start') waiting.unshift(job)
    else if (job && kind === 'end' && job.tries < TRIES) waiting.unshift({ ...job, tries: job.tries + 1 })
    else if (job) kill(job)
    assign()
  }

  function start(slot: Slot): AnsweringProcess {
    return startAnsweringProcess({
      program,
      clock,
      startMs: START_DEADLINE_MS,
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      read: readAnswer,
      ready: () => ask(slot),
      answered: (answer) => answered(slot, answer),
      failed: (fault) => failed(slot, fault),
    })
  }

  return {
    counts,
    async decode(job) {
      if (isFullFor(job)) makeRoomFor(job)
      const refusal = refusalOf(job)
      if (refusal) {
        counts.refused += 1
        throw refusal
      }
      return new Promise((resolve, reject) => {
        waiting.push({ ...job, tries: 1, round: roundFor(job), resolve, reject })
        assign()
      })
    },
    async stop() {
      stopped = true
      const ended = slots.map(({ process }) => process?.kill())
      for (const slot of slots) {
        slot.job?.reject(unavailable())
        slot.process = null
        slot.job = null
      }
      refuseAll()
      await Promise.all(ended)
    },
  }
}
