import { pino } from 'pino'
import { createPresence } from '../../server/hub/rules/presence.ts'
import type { Clock } from '../../server/platform/rules/clock.ts'
import { hubWorld, startHub, unlimitedRates } from '../support/hub/hub-fakes.ts'

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

/** Starts the product's hub, without limits, in this process. Resolves with its address. */
export async function startBenchHub(): Promise<string> {
  const { deps } = hubWorld(realClock)
  const hub = await startHub({
    ...deps,
    rates: unlimitedRates,
    matchTimeoutMs: 600_000,
    presence: createPresence(realClock),
    log: pino({ level: 'silent' }),
  })
  return hub.url
}
