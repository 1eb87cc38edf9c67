import { describe, expect, test } from 'vitest'
import { type NetworkName, networks } from '../../../../scripts/links/links.ts'
import { type GovernorState, governorStart, stepGovernor } from '../../../../src/call/rules/governor.ts'
import { networkSteps } from '../../../../src/call/rules/send-ladder.ts'
import { callSeries } from '../../../support/call/call-series.ts'
import { levelsOf, mostChanges } from '../../../support/call/steps.ts'

function replay(name: Parameters<typeof callSeries>[0]): GovernorState[] {
  let state = governorStart
  return callSeries(name).map(({ sample, page }) => {
    state = stepGovernor(state, sample, page)
    return state
  })
}

const only = (level: number) => new Set([level])

describe('a recorded call', () => {
  test('over a clean network keeps its best picture and all its bars', () => {
    const states = replay('clean')
    const { network, device } = levelsOf(states)
    expect(new Set([...network, ...device])).toEqual(only(0))
    expect(new Set(states.map(({ signal }) => signal.bars))).toEqual(only(3))
  })

  test('whose uplink becomes narrow shows that within seconds, and keeps its picture', () => {
    const states = replay('congested-uplink')
    expect(states.slice(10, 16).map(({ signal }) => signal)).toContainEqual({ bars: 1, reason: 'weak-network' })
    expect(Math.max(...levelsOf(states).network)).toBeLessThan(networkSteps.soundOnly)
    expect(mostChanges(levelsOf(states).network)).toBeLessThanOrEqual(2)
  })

  test('over a lossy mobile network is protected from loss, keeps its picture, and never shows three bars', () => {
    const states = replay('lossy-mobile')
    expect(states.at(10)?.loss).toMatchObject({ isLossy: true, delayMs: expect.any(Number) })
    expect(Math.max(...levelsOf(states).network)).toBeLessThan(networkSteps.soundOnly)
    for (const { signal } of states.slice(8)) expect(signal.bars).toBeLessThan(3)
  })

  test('on a machine that becomes busy steps down, and shows that', () => {
    const states = replay('slow-cpu')
    const noticed = states.findIndex(({ device }) => device.level > 0)
    expect(noticed).toBeGreaterThanOrEqual(10)
    expect(noticed).toBeLessThanOrEqual(13)
    expect(states.at(-1)?.signal.reason).toBe('slow-device')
  })

  test('whose network collapses gets a narrow picture with the reading that shows it, and once', () => {
    const collapse = callSeries('drop').findIndex(({ sample }) => (sample.availableKbps ?? 0) < 500)
    const { network } = levelsOf(replay('drop'))
    expect(collapse).toBeGreaterThan(0)
    expect(network.findIndex((level) => level > networkSteps.wide)).toBe(collapse)
    expect(network.at(-1)).toBe(networkSteps.wide)
    expect(mostChanges(network)).toBe(2)
  })

  test('whose network recovers is at its best again', () => {
    const states = replay('recovery')
    expect(states.some(({ signal }) => signal.reason === 'weak-network')).toBe(true)
    expect(states.at(-1)).toMatchObject({
      network: { level: networkSteps.wide },
      signal: { bars: 3, reason: 'good' },
      loss: { layers: 1, delayMs: null },
    })
  })
})

type Needs = { lowest: number; isLossy: boolean; delayed: boolean }

/** The lowest level, and what protects from loss. A full queue also loses packets. */
const needs: Record<NetworkName, Needs> = {
  good: { lowest: networkSteps.wide, isLossy: false, delayed: false },
  loss5: { lowest: networkSteps.wide, isLossy: true, delayed: true },
  loss15: { lowest: networkSteps.wide, isLossy: true, delayed: true },
  '3g': { lowest: networkSteps.wide, isLossy: true, delayed: true },
  narrow: { lowest: networkSteps.soundOnly, isLossy: true, delayed: true },
  edge: { lowest: networkSteps.soundOnly, isLossy: true, delayed: true },
  drop: { lowest: networkSteps.narrow, isLossy: true, delayed: true },
  bursts: { lowest: networkSteps.wide, isLossy: true, delayed: true },
  wifi: { lowest: networkSteps.wide, isLossy: true, delayed: true },
  satellite: { lowest: networkSteps.wide, isLossy: true, delayed: true },
  half: { lowest: networkSteps.wide, isLossy: true, delayed: false },
}

describe.each(Object.keys(networks) as NetworkName[])(
  'a recorded call of bare connections over the network %s',
  (name) => {
    const states = replay(name)

    test('changes each level at most four times in any sixty readings', () => {
      expect(states.length).toBeGreaterThan(30)
      expect(mostChanges(levelsOf(states).network)).toBeLessThanOrEqual(4)
      expect(mostChanges(levelsOf(states).device)).toBeLessThanOrEqual(4)
    })

    test('gets what it needs', () => {
      const lowest = Math.max(...levelsOf(states).network)
      const delayed = states.some(({ loss }) => loss.delayMs !== null)
      expect({ lowest, isLossy: states.at(-1)?.loss.isLossy, delayed }).toEqual(needs[name])
    })
  },
)
