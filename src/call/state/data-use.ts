import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { CallSample } from '../rules/call-reading.ts'

type Counted = Pick<CallSample, 'at' | 'bytesOnWire'>

/**
 * Data of a call as it is shown. `megabytes`: used so far, rounded to tenths. `hourly`: estimate in megabytes with two
 * digits; null at the start.
 */
export type DataUse = { megabytes: number; hourly: number | null }

export type DataUseStore = ReturnType<typeof createDataUseStore>

/** Time before the last sample from which the hourly estimate is computed. */
const WINDOW_MS = 30_000
/** Shortest time for an estimate: with less, it would describe only the start of the call. */
const ESTIMATE_AFTER_MS = 5_000
const HOUR_MS = 60 * 60_000
const MEGABYTE = 1_000_000
const ESTIMATE_DIGITS = 2

/** Counts the data of one call, sample by sample. */
export function createDataUseStore() {
  const used = signal<DataUse | null>(null)
  let last: Counted | null = null
  let total = 0
  /** Time and total of each sample of the last `WINDOW_MS`, and of the sample before these. */
  let points: { at: number; total: number }[] = []

  /** Returns the growth of the counter. A lower counter is of a new peer connection, which began at zero. */
  function grown({ bytesOnWire: now }: Counted): number {
    const before = last?.bytesOnWire ?? 0
    return now < before ? now : now - before
  }

  function hourly(at: number): number | null {
    while ((points[1]?.at ?? at) <= at - WINDOW_MS) points.shift()
    const [first] = points
    if (!first || at - first.at < ESTIMATE_AFTER_MS) return null
    const perHour = ((total - first.total) / (at - first.at)) * HOUR_MS
    return Math.round(Number((perHour / MEGABYTE).toPrecision(ESTIMATE_DIGITS)))
  }

  return {
    /** Null without a call. The object is replaced only when a number changes. */
    used: used as ReadonlySignal<DataUse | null>,

    take(sample: Counted): void {
      total += grown(sample)
      last = sample
      points.push({ at: sample.at, total })
      const next = { megabytes: Math.round(total / (MEGABYTE / 10)) / 10, hourly: hourly(sample.at) }
      const shown = used.peek()
      if (next.megabytes !== shown?.megabytes || next.hourly !== shown.hourly) used.value = next
    },

    stop(): void {
      used.value = null
      last = null
      total = 0
      points = []
    },
  }
}
