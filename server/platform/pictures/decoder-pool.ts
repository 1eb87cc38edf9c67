import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import {
  type AnsweringProcess,
  type ProcessFault,
  type ProcessLimits,
  RestartPause,
  startAnsweringProcess,
} from '../processes/answering-process.ts'
import type { Clock } from '../rules/clock.ts'
import { ExpiringMap } from '../rules/expiring-map.ts'
import { type DecodedPicture, type DecoderAnswer, decoderAnswerSchema } from './decoder-messages.ts'
import { type DecoderJob, DecoderQueue, isPicture, type WaitingJob } from './decoder-queue.ts'

/** Number of processes: while one process is busy for seconds, the other one goes on. */
const PROCESSES = 2
/** Time for a process to start; usually it takes a quarter of a second. */
const START_DEADLINE_MS = 20_000
/** The largest number of waiting jobs of one account, besides the picture that is being decoded. */
const ACCOUNT_LIMIT = 3
/** Time for which an account is refused after the process of its picture was killed. */
const REST_MS = 60_000
const RESTING_LIMIT = 10_000
const memoryBytes = 512 * 1024 * 1024
/**
 * A frame takes 5 to 60 ms of processor time, a picture of 24 megapixels up to a second and 330 MB. `deadlineMs` is
 * well above `processorMs`, because on a busy machine the elapsed time says little about the file.
 */
const FRAME_PROCESS_LIMITS: ProcessLimits = { processorMs: 2_000, deadlineMs: 8_000, memoryBytes }
const PICTURE_PROCESS_LIMITS: ProcessLimits = { processorMs: 5_000, deadlineMs: 15_000, memoryBytes }
/** Memory after a picture above which a process is replaced; a process starts with 70 MB. */
const KEPT_MEMORY_LIMIT = 256 * 1024 * 1024
const HEAP_MB = 128
/** Attempts at a picture whose process ends for no known reason. */
const TRIES = 2

const PROGRAM = new URL('decoder.process.ts', import.meta.url)

type DecoderCounts = { decoded: number; unreadable: number; killed: number; refused: number }
/** A slot for a process. The process starts with the first job; after an end, it starts with the next job. */
type Slot = { process: AnsweringProcess | null; job: WaitingJob | null }

const unavailable = () => new AppError('unavailable', 'Too many pictures are being read. Try again in a moment.')

const resting = () =>
  new AppError('too-many-requests', 'An earlier picture took too long. Try again later.', {
    retryAfter: REST_MS / 1_000,
  })
const tooMany = () =>
  new AppError('too-many-requests', 'Earlier pictures are still being read. Try again in a moment.', { retryAfter: 1 })

function ask({ process, job }: Slot): void {
  if (job && process?.isReady) process.ask(job.task, isPicture(job) ? PICTURE_PROCESS_LIMITS : FRAME_PROCESS_LIMITS)
}

/**
 * Decodes pictures in separate processes, which are killed when a picture takes too long or too much memory. The
 * methods may be passed on without their object.
 */
export class DecoderPool {
  readonly counts: DecoderCounts = { decoded: 0, unreadable: 0, killed: 0, refused: 0 }
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #program: URL
  readonly #pause: RestartPause
  readonly #slots: Slot[] = Array.from({ length: PROCESSES }, () => ({ process: null, job: null }))
  readonly #queue = new DecoderQueue(() => this.#slots.flatMap(({ job }) => job ?? []))
  /** The accounts that are refused because the process of their last picture was killed. */
  readonly #resting = new ExpiringMap<string, true>(REST_MS, RESTING_LIMIT)
  #stopped = false

  constructor({ clock, log, program = PROGRAM }: { clock: Clock; log: FastifyBaseLogger; program?: URL }) {
    this.#clock = clock
    this.#log = log
    this.#program = program
    this.#pause = new RestartPause(clock)
  }

  /**
   * Resolves with null for a file that cannot be decoded within the limits of time and memory. Pictures of one account are decoded one
   * after the other. Rejects with `too-many-requests` if too many pictures of the account wait, or if the process of its last picture was
   * just killed. Rejects with `unavailable` if too many pictures of all accounts wait, or if no process starts.
   */
  readonly decode = (job: DecoderJob): Promise<DecodedPicture | null> =>
    new Promise((resolve, reject) => {
      const last = this.#queue.isFullFor(job) && this.#queue.takeFor(job)
      if (last) this.#refuse(last, unavailable())
      const refusal = this.#refusalOf(job)
      if (refusal) return this.#refuse({ reject }, refusal)
      this.#queue.add(job, { resolve, reject })
      this.#assign()
    })

  /** Ends the processes and rejects the jobs that wait. */
  readonly stop = async (): Promise<void> => {
    this.#stopped = true
    const ended = this.#slots.map(({ process }) => process?.kill())
    for (const slot of this.#slots) {
      slot.job?.reject(unavailable())
      slot.process = null
      slot.job = null
    }
    this.#refuseAll()
    await Promise.all(ended)
  }

  #refuse(job: Pick<WaitingJob, 'reject'>, error: AppError): void {
    this.counts.refused += 1
    job.reject(error)
  }

  #refuseAll(): void {
    for (const job of this.#queue.takeAll()) this.#refuse(job, unavailable())
  }

  #refusalOf(job: DecoderJob): AppError | null {
    const { accountId, isInternal } = job
    if (this.#stopped || this.#queue.isFullFor(job)) return unavailable()
    if (isInternal) return null
    if (this.#resting.get(accountId, this.#clock.now())) return resting()
    return this.#queue.countOf(accountId) >= ACCOUNT_LIMIT ? tooMany() : null
  }

  #assign(): void {
    const { isOn: isPausing } = this.#pause
    // Uses a running process before it starts another one.
    const free = this.#slots
      .filter(({ job }) => !job)
      .sort((one, other) => Number(!one.process) - Number(!other.process))
    for (const slot of free) {
      if (!slot.process && isPausing) continue
      slot.job = this.#queue.takeNext()
      if (!slot.job) break
      slot.process ??= this.#start(slot)
      ask(slot)
    }
    if (isPausing && this.#slots.every(({ process }) => !process)) this.#refuseAll()
  }

  #start(slot: Slot): AnsweringProcess {
    return startAnsweringProcess({
      program: this.#program,
      clock: this.#clock,
      startMs: START_DEADLINE_MS,
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      schema: decoderAnswerSchema,
      ready: () => ask(slot),
      answered: (answer) => this.#answered(slot, answer),
      failed: (fault) => this.#failed(slot, fault),
    })
  }

  #answered(slot: Slot, answer: DecoderAnswer): void {
    const { job } = slot
    if (answer.type !== 'decoded' || !job) return
    this.#pause.worked()
    slot.job = null
    this.counts[answer.picture ? 'decoded' : 'unreadable'] += 1
    if (answer.memory > KEPT_MEMORY_LIMIT) {
      void slot.process?.kill()
      slot.process = null
    }
    job.resolve(answer.picture)
    this.#assign()
  }

  #failed(slot: Slot, { kind, why }: ProcessFault): void {
    const { job } = slot
    slot.process = null
    slot.job = null
    const pauseMs = kind === 'start' ? this.#pause.begin() : 0
    const whose = job && { accountId: job.accountId }
    this.#log.warn({ why, pauseMs, ...whose }, 'pictures: the decoding process was ended')
    if (job && kind === 'start') this.#queue.addFirst(job)
    else if (job && kind === 'end' && job.tries < TRIES) this.#queue.addFirst({ ...job, tries: job.tries + 1 })
    else if (job) this.#giveUp(job)
    this.#assign()
  }

  #giveUp(job: WaitingJob): void {
    this.counts.killed += 1
    if (!job.isInternal) this.#resting.set(job.accountId, true, this.#clock.now())
    job.resolve(null)
    // The account is refused from now on, and so are its waiting jobs.
    for (const own of this.#queue.takeOf(job.accountId)) this.#refuse(own, resting())
  }
}
