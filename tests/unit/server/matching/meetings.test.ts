import { describe, expect, test } from 'vitest'
import { Meetings, meetingRules } from '../../../../server/matching/rules/meetings.ts'
import { LocalCounts } from '../../../../server/platform/rules/counts.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

function setUp(nextWaitSeconds = 10) {
  const clock = fakeClock(1_000_000)
  const meetings = new Meetings(new LocalCounts(clock.now), meetingRules(nextWaitSeconds, 20_000))
  /** Resolves with the number of users that an account meets within `forMs`, if each match lasts `stayMs` and ends in this way. */
  async function meets(forMs: number, stayMs: number, how: 'left' | 'was left' | 'reported') {
    const end = clock.now() + forMs
    let met = 0
    while (clock.now() < end) {
      const waitMs = await meetings.waitMs('ann')
      if (waitMs > 0) {
        clock.advance(waitMs)
        continue
      }
      met += 1
      await meetings.met('ann')
      clock.advance(stayMs)
      if (how === 'left') await meetings.left('ann', stayMs)
      if (how === 'reported') await meetings.reported('ann', stayMs)
    }
    return met
  }
  return { clock, meetings, meets }
}

describe('the number of users that an account meets in ten minutes', () => {
  test.each([
    { what: 'Next as often as the page allows', stayMs: 10 * SECOND, how: 'left', least: 60, most: 60 },
    { what: 'left by every peer after two seconds', stayMs: 2 * SECOND, how: 'was left', least: 300, most: 300 },
    { what: 'leaves at once', stayMs: SECOND / 3, how: 'left', least: 30, most: 45 },
    { what: 'leaves after eight seconds', stayMs: 8 * SECOND, how: 'left', least: 30, most: 45 },
    { what: 'reports at once', stayMs: SECOND, how: 'reported', least: 50, most: 70 },
  ] as const)('$what: between $least and $most', async ({ stayMs, how, least, most }) => {
    const { meets } = setUp()
    const met = await meets(10 * MINUTE, stayMs, how)
    expect(met).toBeGreaterThanOrEqual(least)
    expect(met).toBeLessThanOrEqual(most)
  })
})

test('an account that ended three matches early within ten minutes waits for addresses; reports and late ends do not count', async () => {
  const { clock, meetings } = setUp()
  for (let times = 0; times < 5; times += 1) {
    await meetings.left('ann', 9 * SECOND)
    await meetings.reported('ann', SECOND)
  }
  await meetings.left('ann', SECOND)
  await meetings.left('ann', SECOND)
  expect(await meetings.leavesEarly('ann')).toBe(false)
  await meetings.left('ann', SECOND)
  expect(await meetings.leavesEarly('ann')).toBe(true)
  expect(await meetings.leavesEarly('bob')).toBe(false)
  clock.advance(10 * MINUTE)
  expect(await meetings.leavesEarly('ann')).toBe(false)
})

test('with a shorter wait for Next, an account may meet more users', async () => {
  const { meets } = setUp(1)
  expect(await meets(MINUTE, SECOND, 'left')).toBe(60)
  const free = setUp(0)
  expect(await free.meets(MINUTE, SECOND / 2, 'left')).toBe(120)
})
