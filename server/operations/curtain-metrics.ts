import { Counter, type Registry } from 'prom-client'
import { type CurtainCounts, curtainModels } from '#protocol/curtain.ts'

/** The label of every model that is not in the list: a client must not create series. */
const OTHER = 'other'

/** Creates the metrics of the safety curtain. Returns the function that counts one call. */
export function createCurtainMetrics(registers: Registry[]): (counts: CurtainCounts) => void {
  const counter = (name: string, help: string) =>
    new Counter({ name: `waggle_curtain_${name}_total`, help, labelNames: ['model'], registers })
  const looks = counter('looks', 'Looks of the safety curtain at a picture of a call, by version of the model')
  const flagged = counter('flagged', 'Looks that found nudity likely')
  const veils = counter('veils', 'Pictures that the safety curtain veiled')
  const shownAnyway = counter('shown_anyway', 'Veils that the user lifted with "Show anyway"')
  const known = new Set<string>(curtainModels)
  // Each counter starts at 0, so that its first value shows as an increase.
  for (const model of [...known, OTHER]) for (const one of [looks, flagged, veils, shownAnyway]) one.inc({ model }, 0)

  return (counts) => {
    const label = { model: known.has(counts.model) ? counts.model : OTHER }
    looks.inc(label, counts.looks)
    flagged.inc(label, counts.flagged)
    veils.inc(label, counts.veils)
    shownAnyway.inc(label, counts.shownAnyway)
  }
}
