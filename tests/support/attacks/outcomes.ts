/** Number of times that an attack had each outcome, by status code or by a short name. */
export type Outcomes = Record<string, number>

export class OutcomeCounter {
  readonly counts: Outcomes = {}

  add(outcome: string | number): void {
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1
  }
}

/** Runs `task` in `lanes` concurrent loops until it ran `times` times or `performance.now()` reaches `untilMs`. */
export async function inLanes(
  lanes: number,
  limit: { times?: number; untilMs?: number },
  task: (index: number) => Promise<void>,
): Promise<void> {
  const { times = Number.POSITIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = limit
  let next = 0
  async function lane(): Promise<void> {
    while (next < times && performance.now() < untilMs) {
      next += 1
      await task(next - 1)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
