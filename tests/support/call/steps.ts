import type { GovernorState } from '../../../src/call/rules/governor.ts'

const WINDOW = 60

/** Returns the largest number of changes in any minute of readings. */
export function mostChanges(levels: readonly number[]): number {
  const changes = levels.slice(1).map((level, index) => Number(level !== levels[index]))
  let most = 0
  for (let start = 0; start < changes.length; start += 1)
    most = Math.max(
      most,
      changes.slice(start, start + WINDOW).reduce((sum, change) => sum + change, 0),
    )
  return most
}

/** The levels of network and device after each reading. */
export function levelsOf(states: readonly GovernorState[]) {
  return { network: states.map(({ network }) => network.level), device: states.map(({ device }) => device.level) }
}
