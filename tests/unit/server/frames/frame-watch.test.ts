import { expect, test } from 'vitest'
import type { PictureScores } from '#protocol/explicit-score.ts'
import {
  createFrameWatch,
  type FrameMemory,
  judgedLimits,
  STAY_LIMITS,
} from '../../../../server/frames/rules/frame-watch.ts'
import { printOf } from '../../../../server/frames/rules/picture-print.ts'
import type { FrameSignal } from '../../../../server/frames/rules/ports.ts'
import { LocalNotes } from '../../../../server/platform/rules/notes.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const harmless: PictureScores = { drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }
const explicit = { ...harmless, neutral: 0, porn: 0.99 }
const revealing = { ...harmless, neutral: 0, sexy: 0.99 }
const policy = { flagScore: 0.85, hits: 2, among: 4, windowMs: 60_000 }

function memoryFor(clock: ReturnType<typeof fakeClock>): FrameMemory {
  return { stays: new LocalNotes(clock.now, STAY_LIMITS), judged: new LocalNotes(clock.now, judgedLimits(policy)) }
}

function watchForTest(isOn = true, clock = fakeClock(1_000_000), memory = memoryFor(clock)) {
  const kept: [string, number[]][] = []
  const jpegs: Uint8Array[] = []
  const findings: unknown[] = []
  const signals: FrameSignal[] = []
  const faults: unknown[] = []
  const running: Promise<unknown>[] = []
  const next: { scores: PictureScores | null | Error; shade: number; unclean?: true } = { scores: harmless, shade: 0 }
  const watch = createFrameWatch({
    clock,
    policy,
    memory,
    clean: async (upload) => {
      if (next.unclean) throw new Error('cannot be encoded anew')
      return Uint8Array.of(...upload, 0xff)
    },
    classify: isOn
      ? async () => {
          if (next.scores instanceof Error) throw next.scores
          return next.scores
        }
      : null,
    keepFlagged: async (account, pictures) => {
      kept.push([account, pictures.map(({ at }) => at)])
      jpegs.push(...pictures.map(({ jpeg }) => jpeg))
    },
    recordFinding: async (account, finding) => void findings.push({ account, ...finding }),
    signals: { add: async (signal) => void signals.push(signal) },
    runInBackground: (_what, work) => void running.push(work.catch((error: unknown) => faults.push(error))),
  })
  async function look(scores: typeof next.scores, account = 'ada', isChanged = false): Promise<void> {
    next.scores = scores
    next.shade += 1
    const pixels = Uint8Array.from({ length: 18 * 18 * 3 }, (_value, at) => (at * 37 * next.shade) % 256)
    const seen = { look: printOf(pixels, 18), pixels: isOn ? pixels : null, isChanged }
    watch.judge({ accountId: account, userSession: 's', upload: Uint8Array.of(next.shade), ...seen })
    await settled()
  }
  async function settled(): Promise<void> {
    for (let count = 0; count < running.length; ) {
      count = running.length
      await Promise.all(running)
    }
  }
  /** Connects to the hub, and waits until the stay before was judged. */
  async function leave(account = 'ada'): Promise<void> {
    watch.seenOnHub(account)
    await Promise.all(running)
  }
  /** Stays on the dashboard, which sends a request every ten seconds. */
  function stay(ms: number, account = 'ada'): void {
    for (let left = ms; left > 0; left -= 10_000) {
      watch.seenOnDashboard(account)
      clock.advance(10_000)
    }
  }
  return { clock, leave, stay, look, next, kept, jpegs, findings, signals, faults }
}

test('pictures are kept and reported only when enough of them are flagged', async () => {
  const { clock, look, kept, findings, faults } = watchForTest()
  await look(explicit)
  clock.advance(10_000)
  await look(harmless)
  await look(explicit, 'bob')
  expect([kept, findings]).toEqual([[], []])
  clock.advance(10_000)
  await look(explicit)
  expect(kept).toEqual([['ada', [1_000_000, 1_020_000]]])
  expect(findings).toEqual([{ account: 'ada', session: 's', label: 'porn', score: 0.99, at: 1_020_000 }])
  await look(explicit)
  expect(findings).toHaveLength(1)
  expect(faults).toEqual([])
})

test('a picture is kept without metadata; one that cannot be encoded again counts as well', async () => {
  const { clock, look, next, jpegs, kept, findings, faults } = watchForTest()
  await look(explicit)
  clock.advance(10_000)
  await look(explicit)
  expect(jpegs).toEqual([Uint8Array.of(1, 0xff), Uint8Array.of(2, 0xff)])
  next.unclean = true
  await look(explicit)
  await look(explicit)
  expect([findings.length, kept.at(-1), faults.length]).toEqual([2, ['ada', []], 2])
})

test('pictures that the browser replaced by noise are counted and not judged', async () => {
  const { look, leave, stay, findings, signals } = watchForTest()
  stay(60_000)
  for (let turn = 0; turn < 4; turn += 1) await look(explicit, 'ada', true)
  await leave()
  expect(findings).toEqual([])
  expect(signals).toMatchObject([{ changed: 4, suspicious: 0 }])
})

test('a single flagged picture expires', async () => {
  const { clock, look, kept } = watchForTest()
  await look(explicit)
  clock.advance(60_000)
  await look(explicit)
  expect(kept).toEqual([])
})

test('without a classifier, with pictures that it skips, and with one that breaks, nothing is flagged', async () => {
  const off = watchForTest(false)
  for (let turn = 0; turn < 4; turn += 1) await off.look(explicit)
  expect(off.findings).toEqual([])
  const on = watchForTest()
  await on.look(null)
  await on.look(new Error('broken'))
  expect([on.findings, on.faults.length]).toEqual([[], 1])
  await on.look(explicit)
  await on.look(explicit)
  expect(on.findings).toHaveLength(1)
})

test('a stay on the dashboard without pictures becomes a signal when the user reaches the hub', async () => {
  const { leave, stay, signals } = watchForTest()
  stay(90_000)
  await leave()
  const gap = { expected: 9, came: 0, black: 0, changed: 0, longestGapMs: 90_000, sameFrameRepeated: 0, suspicious: 0 }
  expect(signals).toEqual([{ accountId: 'ada', from: 1_000_000, at: 1_090_000, ...gap }])
  await leave()
  expect(signals).toHaveLength(1)
})

test('a stay with a picture every ten seconds is no signal, time on the hub is no stay', async () => {
  const { clock, leave, stay, look, signals } = watchForTest()
  for (let turn = 0; turn < 12; turn += 1) {
    stay(10_000)
    await look(harmless)
  }
  for (let turn = 0; turn < 30; turn += 1) {
    await leave()
    clock.advance(10_000)
  }
  stay(10_000)
  await leave()
  expect(signals).toEqual([])
})

test('a dashboard without a request for 45 seconds starts a new stay', async () => {
  const { clock, leave, stay, signals } = watchForTest()
  stay(90_000)
  clock.advance(35_000)
  stay(10_000)
  await leave()
  stay(90_000)
  clock.advance(35_000)
  await leave()
  expect(signals).toEqual([])
})

test('requests of the dashboard make a note only where no note was made for a while', async () => {
  const clock = fakeClock(1_000_000)
  const memory = memoryFor(clock)
  const noted: (string | undefined)[] = []
  const { push } = memory.stays
  memory.stays.push = (user, note) => {
    noted.push(note.picture ? 'picture' : 'request')
    return push.call(memory.stays, user, note)
  }
  const { stay, look, leave } = watchForTest(true, clock, memory)
  stay(60_000)
  expect(noted).toEqual(['request', 'request', 'request'])
  for (let turn = 0; turn < 3; turn += 1) {
    await look(harmless)
    stay(10_000)
  }
  expect(noted.slice(3)).toEqual(['picture', 'picture', 'picture'])
  await leave()
  stay(10_000)
  expect(noted.slice(6)).toEqual(['request'])
})

test('suspicious pictures are reported as a number, and nothing of them is kept', async () => {
  const { leave, look, signals, kept, findings } = watchForTest()
  for (let turn = 0; turn < 3; turn += 1) await look(revealing)
  await leave()
  expect(signals).toMatchObject([{ accountId: 'ada', suspicious: 3 }])
  expect([kept, findings]).toEqual([[], []])
})

test('of a long stay the last ten minutes are judged', async () => {
  const { clock, leave, look, next, signals } = watchForTest()
  for (let turn = 0; turn < 100; turn += 1) {
    clock.advance(10_000)
    await look(harmless)
    next.shade = 0
  }
  await leave()
  expect(signals).toMatchObject([{ came: 60, expected: 60, sameFrameRepeated: 60 }])
})

function twoServers() {
  const clock = fakeClock(1_000_000)
  const memory = memoryFor(clock)
  return { clock, one: watchForTest(true, clock, memory), other: watchForTest(true, clock, memory) }
}

test('pictures on two servers are judged together and lead to one finding', async () => {
  const { clock, one, other } = twoServers()
  await one.look(explicit)
  clock.advance(10_000)
  await other.look(harmless)
  expect([one.findings, other.findings]).toEqual([[], []])
  clock.advance(10_000)
  await other.look(explicit)
  expect(other.findings).toEqual([{ account: 'ada', session: 's', label: 'porn', score: 0.99, at: 1_020_000 }])
  // A picture is not sent to another server: the server that made the finding keeps its own.
  expect(other.kept).toEqual([['ada', [1_020_000]]])
  await one.look(explicit)
  expect([one.findings, other.findings.length]).toEqual([[], 1])
})

test('pictures every ten seconds on two servers in turn are no gap', async () => {
  const { one, other } = twoServers()
  for (let turn = 0; turn < 12; turn += 1) {
    const [server, next] = turn % 8 < 7 ? [one, other] : [other, one]
    server.stay(10_000)
    await next.look(harmless)
  }
  await one.leave()
  await other.leave()
  expect([one.signals, other.signals]).toEqual([[], []])
})
