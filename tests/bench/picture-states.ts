import { createDice } from '../support/dice.ts'
import { type FaultyKind, faultyKinds, type HonestKind, honestKinds } from '../support/pictures/clips.ts'
import { findFault, judgeHonest } from '../support/pictures/judge-clip.ts'
import { runSeed } from '../support/run-seed.ts'
import { median } from './median.ts'
import { printPromise } from './print.ts'

const CLIPS_A_KIND = 300
/** Share of the honest clips of which anything may be said. */
const FALSE_MAX = 0.01

type HonestResult = { kind: HonestKind; alarms: string[] }
type FaultyResult = { kind: FaultyKind; foundMs: number[] }

/** Judges drawn clips by the rules of black, still and looped pictures. */
export function printPictureStates(): void {
  const dice = createDice(runSeed)
  const clips = Array.from({ length: CLIPS_A_KIND }, (_, index) => index)
  let readings = 0
  let tookMs = 0
  const honest = honestKinds.map((kind): HonestResult => {
    const alarms = clips.flatMap(() => {
      const judged = judgeHonest(kind, dice)
      readings += judged.readings
      tookMs += judged.tookMs
      return [...judged.first.keys()].slice(0, 1)
    })
    return { kind, alarms }
  })
  const faulty = faultyKinds.map((kind): FaultyResult => {
    return { kind, foundMs: clips.flatMap(() => findFault(kind, dice) ?? []) }
  })
  for (const { kind, alarms } of honest)
    console.log(`  ${kind}: ${alarms.length} of ${CLIPS_A_KIND} ${alarms.join(' ')}`)
  for (const { kind, foundMs } of faulty) {
    const seconds = (Math.round(median(foundMs) / 100) / 10).toFixed(1)
    console.log(`  ${kind}: found in ${foundMs.length} of ${CLIPS_A_KIND}, after ${seconds} s (median)`)
  }
  console.log(`  ${(tookMs / readings).toFixed(3)} ms a reading`)
  const broken = honest.filter(({ alarms }) => alarms.length > CLIPS_A_KIND * FALSE_MAX).map(({ kind }) => kind)
  printPromise(
    broken.length === 0,
    `at most 1 in 100 honest clips of a kind is called anything: ${broken.join(', ') || 'all'}`,
  )
}
