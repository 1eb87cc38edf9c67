import { expect, test } from 'vitest'
import type { EndpointInput } from '#protocol/rest.ts'
import { createConnectionReport } from '../../src/call/connection-report.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { fakeApi } from '../support/fakes/fake-api.ts'
import { silentLog } from '../support/silent-log.ts'

function reporting() {
  const clock = fakeClock()
  const told: EndpointInput<'reportConnection'>[] = []
  const api = fakeApi({
    reportConnection(input) {
      told.push(input)
      return { message: 'Valid' }
    },
  })
  return { clock, told, report: createConnectionReport({ api, clock, log: silentLog() }) }
}

test.each([
  [false, 'direct'],
  [true, 'relay'],
])('a connection that stands is told once, with the time from the match to it (relayed: %s)', (isRelayed, outcome) => {
  const { clock, told, report } = reporting()
  report.begin()
  clock.advance(300)
  report.connected()
  clock.advance(1_000)
  report.sampled({ isRelayed })
  report.connected()
  report.sampled({ isRelayed })
  report.end()
  expect(told).toEqual([{ outcome, afterMs: 300 }])
})

test('a connection that never stands has failed, one that breaks for good is lost', () => {
  const { clock, told, report } = reporting()
  report.begin()
  clock.advance(12_000)
  report.broken()
  report.end()
  report.begin()
  report.connected()
  report.sampled({ isRelayed: false })
  clock.advance(60_000)
  report.broken()
  expect(told).toEqual([
    { outcome: 'failed', afterMs: 12_000 },
    { outcome: 'direct', afterMs: 0 },
    { outcome: 'lost', afterMs: 60_000 },
  ])
})

test('a match that somebody ends before it stood says nothing of the network', () => {
  const { told, report } = reporting()
  report.begin()
  report.end()
  report.connected()
  report.sampled({ isRelayed: false })
  report.broken()
  expect(told).toEqual([])
})

test('what cannot be told is logged and disturbs nothing', async () => {
  const log = silentLog()
  const report = createConnectionReport({ api: fakeApi({}), clock: fakeClock(), log })
  report.begin()
  report.connected()
  report.sampled({ isRelayed: false })
  await expect.poll(() => log.errors).toEqual(['How the connection came out could not be told'])
})
