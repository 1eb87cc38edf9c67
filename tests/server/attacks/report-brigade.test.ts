import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { reportBrigade } from '../../support/attacks/report-brigade.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { startServer } from '../../support/servers/server.ts'
import { addModerator, logIn } from '../../support/stores/moderators.ts'

const VICTIMS = 10

test.each([false, true])('four new accounts report ten users and suspend none, sending pictures: %s', async (media) => {
  const clock = movableClock()
  const server = await startServer({}, { clock })
  onTestFinished(server.stop)
  const { origin } = server
  const { victims, statuses, stop } = await reportBrigade({
    origin,
    reporters: 4,
    victims: VICTIMS,
    media,
    pause: () => clock.forward(15_000),
  })
  onTestFinished(stop)

  expect((await statuses()).filter((status) => status !== 'Valid')).toEqual([])
  // No victim was suspended: the hub still accepts each of them.
  for (const victim of victims) await expect(victim.queue()).resolves.toBeUndefined()

  const moderator = await logIn(server, await addModerator(server.dataDir, 'mia'), clock.now())
  const { cases, open } = await moderator.requestConsole('readQueue', {})
  expect(open).toBe(VICTIMS)
  for (const shown of cases) {
    expect(shown).toMatchObject({ kinds: ['reports'], reports: 4, reporters: 4, status: 'Valid' })
    // With standing, these reports would suspend, so the review is due soon.
    expect((shown.dueAt ?? 0) - (shown.openedAt ?? 0)).toBeLessThan(2 * DAY_MS)
  }
})
