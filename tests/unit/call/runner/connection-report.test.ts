import { expect, test } from 'vitest'
import type { EndpointInput } from '#protocol/rest.ts'
import { createConnectionReport } from '../../../../src/call/runner/match-reports.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { fakeApi } from '../../../support/fakes/fake-api.ts'
import { silentLog } from '../../../support/silent-log.ts'

const pair = { kind: 'relay', way: 'tls', family: 'ipv4' } as const
const direct = { kind: 'host', way: 'udp', family: 'ipv4' } as const

function reporting() {
  const clock = fakeClock()
  const sent: EndpointInput<'reportConnection'>[] = []
  const api = fakeApi({
    reportConnection(input) {
      sent.push(input)
      return { message: 'Valid' }
    },
  })
  return { clock, sent, report: createConnectionReport({ api, clock, log: silentLog() }) }
}

test.each([
  [false, 'direct'],
  [true, 'relay'],
])(
  'a peer connection that stands is reported once, with the time from the match to it (relayed: %s)',
  (isRelayed, outcome) => {
    const { clock, sent, report } = reporting()
    report.begin()
    clock.advance(300)
    report.connected()
    clock.advance(1_000)
    report.sampled({ isRelayed, pair })
    report.connected()
    report.sampled({ isRelayed, pair })
    report.end()
    expect(sent).toEqual([{ outcome, afterMs: 300, pair }])
  },
)

test('a peer connection that never stands has failed, one that no restart heals is lost', () => {
  const { clock, sent, report } = reporting()
  report.begin()
  clock.advance(12_000)
  report.broken()
  report.end()
  report.begin()
  report.connected()
  report.sampled({ isRelayed: false, pair: direct })
  clock.advance(60_000)
  report.broken()
  expect(sent).toEqual([
    { outcome: 'failed', afterMs: 12_000 },
    { outcome: 'direct', afterMs: 0, pair: direct },
    { outcome: 'lost', afterMs: 60_000 },
  ])
})

test('a sample of before the peer connection stood says nothing about it', () => {
  const { sent, report } = reporting()
  report.begin()
  report.connected()
  report.sampled({ isRelayed: false, pair: null })
  expect(sent).toEqual([])
  report.sampled({ isRelayed: true, pair })
  expect(sent).toEqual([{ outcome: 'relay', afterMs: 0, pair }])
})

test('a browser that names no candidate pair is reported without one', () => {
  const { sent, report } = reporting()
  report.begin()
  report.connected()
  for (let samples = 0; samples < 5; samples += 1) report.sampled({ isRelayed: false, pair: null })
  expect(sent).toEqual([{ outcome: 'direct', afterMs: 0 }])
})

test('a match that a user ends before its peer connection stood is not reported', () => {
  const { sent, report } = reporting()
  report.begin()
  report.end()
  report.connected()
  report.sampled({ isRelayed: false, pair: null })
  report.broken()
  expect(sent).toEqual([])
})

test('a report that cannot be sent is logged and has no other effect', async () => {
  const log = silentLog()
  const report = createConnectionReport({ api: fakeApi({}), clock: fakeClock(), log })
  report.begin()
  report.connected()
  report.sampled({ isRelayed: false, pair: direct })
  await expect.poll(() => log.errors).toEqual(['The outcome of the peer connection was not reported'])
})
