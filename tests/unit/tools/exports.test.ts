import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { Span } from '#workers/trace.ts'
import { createConnectionLog, rtcStatsDump, safeStats } from '../../../src/tools/recorder/rtcstats-dump.ts'
import { safeLabel } from '../../../src/tools/recorder/safe-label.ts'
import { traceEventsOf } from '../../../src/tools/recorder/trace-events.ts'
import { parseAsPanel } from '../../trace/panel-parser.ts'

const spans: Span[] = [
  { track: 'Match', label: 'search', start: 100, end: 300.5 },
  { track: 'Hub', label: 'connect', start: 150, end: 250 },
]
/** Of the Trace Event Format: what each kind of event that we write must have. */
const common = {
  name: v.string(),
  cat: v.string(),
  pid: v.number(),
  tid: v.number(),
  ts: v.pipe(v.number(), v.integer()),
}
const traceSchema = v.strictObject({
  traceEvents: v.array(
    v.variant('ph', [
      v.strictObject({ ...common, ph: v.literal('M'), args: v.object({ name: v.string() }) }),
      v.strictObject({ ...common, ph: v.literal('I'), s: v.literal('t'), args: v.object({}) }),
      v.strictObject({
        ...common,
        ph: v.picklist(['b', 'e']),
        id: v.pipe(v.string(), v.hexadecimal()),
        args: v.object({}),
      }),
    ]),
  ),
  displayTimeUnit: v.literal('ms'),
})

test('a trace has the form of the Trace Event Format, and each span begins and ends once', () => {
  const { traceEvents } = v.parse(traceSchema, JSON.parse(JSON.stringify(traceEventsOf(spans, 1_000))))
  const timed = traceEvents.flatMap((event) => ('id' in event ? [[event.name, event.ph, event.id, event.ts]] : []))
  expect(timed).toEqual([
    ['search', 'b', '0x1', 1_100_000],
    ['search', 'e', '0x1', 1_300_500],
    ['connect', 'b', '0x2', 1_150_000],
    ['connect', 'e', '0x2', 1_250_000],
  ])
})

test("the performance panel's own parser finds each span on its track of the group Chat", async () => {
  const { groups } = await parseAsPanel(JSON.stringify(traceEventsOf(spans, Date.UTC(2026, 0, 1))))
  expect(groups).toEqual({ Chat: { Match: 1, Hub: 1 } })
})

test('the performance panel opens a trace without a span', async () => {
  const { groups } = await parseAsPanel(JSON.stringify(traceEventsOf([], Date.UTC(2026, 0, 1))))
  expect(groups).toEqual({})
})

test('a dump of rtcstats has its header and one event a line, each with the time since the one before', () => {
  const dump = rtcStatsDump(
    [
      { method: 'create', connection: 'PC_1', value: {}, at: 5_000 },
      { method: 'getStats', connection: 'PC_1', value: { I1: { type: 'inbound-rtp' } }, at: 6_000 },
    ],
    4_000.4,
  )
  const [first, header, ...events] = dump.trimEnd().split('\n')
  expect(first).toBe('RTCStatsDump')
  expect(JSON.parse(header ?? '')).toMatchObject({ fileFormat: 3, startTime: 4_000 })
  expect(events.map((line) => JSON.parse(line))).toEqual([
    ['create', 'PC_1', {}, 5_000],
    ['getStats', 'PC_1', { I1: { type: 'inbound-rtp' } }, 1_000],
  ])
})

test('a dump of rtcstats creates each connection before its statistics, and ends the reports that are gone', () => {
  const read = (connection: string, ids: string[], at: number) => {
    return { method: 'getStats', connection, value: Object.fromEntries(ids.map((id) => [id, { id }])), at }
  }
  const dump = rtcStatsDump([read('PC_1', ['A', 'B'], 5), read('PC_2', ['B'], 6), read('PC_1', ['B'], 8)], 0)
  expect(
    dump
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((line) => JSON.parse(line)),
  ).toEqual([
    ['create', 'PC_1', {}, 5],
    ['getStats', 'PC_1', { A: { id: 'A' }, B: { id: 'B' } }, 0],
    ['create', 'PC_2', {}, 1],
    ['getStats', 'PC_2', { B: { id: 'B' } }, 0],
    ['getStats', 'PC_1', { B: { id: 'B' }, A: null }, 2],
  ])
})

test('a connection of this page has another name than those of the page before', () => {
  const log = createConnectionLog()
  log.restore([{ method: 'create', connection: 'PC_3', value: {}, at: 1 }])
  log.opened(new EventTarget() as RTCPeerConnection)
  expect(log.events().map(({ connection }) => connection)).toEqual(['PC_3', 'PC_4'])
})

test('statistics keep no address, port, fingerprint or device', () => {
  const kept = safeStats([
    { type: 'local-candidate', id: 'L', address: '192.0.2.7', port: 50_000 },
    { type: 'certificate', id: 'C', fingerprint: 'AB:CD', base64Certificate: 'MIIB' },
    {
      type: 'inbound-rtp',
      id: 'I',
      kind: 'video',
      packetsLost: 3,
      trackIdentifier: 'camera of Ada',
      sdpFmtpLine: 'a=1',
    },
    { type: 'transport', id: 'T', iceLocalUsernameFragment: 'abcd', bytesSent: 1, localPort: 9 },
  ])
  expect(kept).toEqual({
    I: { type: 'inbound-rtp', id: 'I', kind: 'video', packetsLost: 3 },
    T: { type: 'transport', id: 'T', bytesSent: 1 },
  })
})

test.each([
  ['connect 192.0.2.7', 'connect [hidden]'],
  ['to 2001:db8::1 now', 'to [hidden] now'],
  ['from ada@example.org', 'from [hidden]'],
  ['https://example.org/a?token=1 loaded', '[hidden] loaded'],
  ['unanswered HandleUserNickNameAndUserEmailIdToPeer', 'unanswered HandleUserNickNameAndUserEmailIdToPeer'],
  ['token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', 'token [hidden]'],
  ['ignored in connecting: opened', 'ignored in connecting: opened'],
  ['queue request #12', 'queue request #12'],
])('%s is kept as %s', (label, safe) => {
  expect(safeLabel(label)).toBe(safe)
})
