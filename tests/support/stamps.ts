import { onTestFinished, vi } from 'vitest'
import { nameMatch, startTracing } from '#workers/trace.ts'

export type Stamp = { label: string; start: number; end: number; track: string; group: string; colour: string }

/** Turns tracing on. Returns the spans that are drawn until the test is over, of no match at first: test files share their modules. */
export function drawnStamps(): Stamp[] {
  const stamps: Stamp[] = []
  const draw = (label: string, start: number, end: number, track: string, group: string, colour: string) =>
    stamps.push({ label, start, end, track, group, colour })
  vi.stubGlobal('console', { ...console, timeStamp: draw })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    nameMatch('')
  })
  nameMatch('')
  startTracing()
  return stamps
}
