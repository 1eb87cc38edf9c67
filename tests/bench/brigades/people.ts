import { DAY_MS } from '#protocol/durations.ts'
import type { ReportFacts } from '../../../server/moderation/rules/ports.ts'

export const NOW = 1_000 * DAY_MS
export const HONEST = 10_000

export type Person = Pick<ReportFacts, 'reporter' | 'provider' | 'reporterSince' | 'keptCalls' | 'network' | 'device'>

const kindsOfDevice = [
  'Chrome desktop Windows',
  'Chrome mobile Android',
  'Safari mobile iOS',
  'Firefox desktop Windows',
]

/** Users of an established site: one account in seven is less than a week old, half of the others call a few times a month. */
export function honestPeople(random: () => number): Person[] {
  return Array.from({ length: HONEST }, (_, index) => {
    const days = random() < 1 / 7 ? random() * 7 : 7 + random() * 250
    const callsADay = ([0.1, 0.1, 0.5, 2] as const)[Math.floor(random() * 4)] ?? 0.1
    return {
      reporter: `honest ${index}`,
      provider: random() < 0.7 ? 'Google' : 'Facebook',
      reporterSince: NOW - days * DAY_MS,
      keptCalls: Math.floor(Math.min(30, days) * callsADay * (0.5 + random())),
      network: `network ${Math.floor(random() * 4_000)}`,
      device: kindsOfDevice[Math.floor(random() * kindsOfDevice.length)] ?? null,
    }
  })
}

export function reportBy(person: Person, given: Partial<ReportFacts>): ReportFacts {
  const facts = {
    reason: null,
    callMs: 60_000,
    reporterSaw: true,
    reportedSaw: true,
    retaliation: false,
    outweighed: false,
    credit: 0,
    dismissed: 0,
    minorsWrong: 0,
    minorsWaiting: 0,
    minorsOfNetwork: 0,
  }
  return { ...facts, earlierToday: 0, at: NOW, ...person, ...given }
}
