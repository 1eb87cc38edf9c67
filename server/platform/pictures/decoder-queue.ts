import type { AppError } from '#protocol/errors.ts'
import type { DecodedPicture, DecoderTask } from './decoder-messages.ts'

/** Waiting jobs of all accounts, and their bytes; counted separately for profile pictures and for frames. */
const QUEUE_LIMIT = 64
const QUEUE_BYTES = 32 * 1024 * 1024
/** Profile pictures that are decoded at the same time: one process is always left for frames, which are small and many. */
const PICTURES_AT_ONCE = 1

export type DecoderJob = {
  task: DecoderTask
  accountId: string
  /** True for a picture that the server itself decodes again: the limits of an account do not apply. */
  isInternal?: true
}

export type WaitingJob = DecoderJob & {
  tries: number
  /** Jobs of a lower round come first. Each further job of an account is one round later than the account's job before. */
  round: number
  resolve: (picture: DecodedPicture | null) => void
  reject: (error: AppError) => void
}

export const isPicture = ({ task }: DecoderJob) => task.task === 'shrink'

const isOf =
  (accountId: string) =>
  (job: DecoderJob): boolean =>
    job.accountId === accountId

/** The jobs that wait for a process. `running` returns the jobs that are being decoded. */
export class DecoderQueue {
  readonly #running: () => WaitingJob[]
  #waiting: WaitingJob[] = []
  /** The round of the job that was started last. */
  #round = 0

  constructor(running: () => WaitingJob[]) {
    this.#running = running
  }

  isFullFor(newcomer: DecoderJob): boolean {
    const alike = this.#waiting.filter((job) => isPicture(job) === isPicture(newcomer))
    const bytes = alike.reduce((sum, job) => sum + job.task.bytes.byteLength, newcomer.task.bytes.byteLength)
    return alike.length >= QUEUE_LIMIT || bytes > QUEUE_BYTES
  }

  countOf(accountId: string): number {
    return this.#waiting.filter(isOf(accountId)).length
  }

  add(job: DecoderJob, { resolve, reject }: Pick<WaitingJob, 'resolve' | 'reject'>): void {
    const own = [...this.#waiting, ...this.#running()].filter(isOf(job.accountId))
    const round = Math.max(this.#round, ...own.map((earlier) => earlier.round + 1))
    this.#waiting.push({ ...job, tries: 1, round, resolve, reject })
  }

  addFirst(job: WaitingJob): void {
    this.#waiting.unshift(job)
  }

  /** Takes the next job that may start: the first job of every account before a second job, and of these the oldest. */
  takeNext(): WaitingJob | null {
    const [next] = this.#waiting.filter((job) => this.#mayStart(job)).sort((one, other) => one.round - other.round)
    if (!next) return null
    this.#take([next])
    this.#round = Math.max(this.#round, next.round)
    return next
  }

  /**
   * Takes the latest job of the account with the most jobs of the newcomer's kind, if this account has more of them
   * than the newcomer's account will have. Otherwise returns null.
   */
  takeFor(newcomer: DecoderJob): WaitingJob | null {
    const alike = this.#waiting.filter((job) => isPicture(job) === isPicture(newcomer) && !job.isInternal)
    const [last] = alike.sort((one, other) => this.#earlierOwn(other) - this.#earlierOwn(one))
    return last && this.#earlierOwn(last) > this.countOf(newcomer.accountId) ? (this.#take([last])[0] ?? null) : null
  }

  /** Takes all jobs of an account but the jobs that the server itself created. */
  takeOf(accountId: string): WaitingJob[] {
    return this.#take(this.#waiting.filter((job) => isOf(accountId)(job) && !job.isInternal))
  }

  takeAll(): WaitingJob[] {
    return this.#take(this.#waiting)
  }

  #take(taken: WaitingJob[]): WaitingJob[] {
    this.#waiting = this.#waiting.filter((job) => !taken.includes(job))
    return taken
  }

  #mayStart(job: WaitingJob): boolean {
    const running = this.#running()
    if (running.some(isOf(job.accountId))) return false
    return !isPicture(job) || running.filter(isPicture).length < PICTURES_AT_ONCE
  }

  /** Returns the number of jobs of the same account that have waited longer than this job. */
  #earlierOwn(job: WaitingJob): number {
    return this.#waiting.slice(0, this.#waiting.indexOf(job)).filter(isOf(job.accountId)).length
  }
}
