import { signal } from '@preact/signals-react'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { PictureOf } from '#protocol/picture-state.ts'
import type { EndedRoutineLook, RoutineLook } from '../../../src/curtain/ports.ts'
import { type CurtainState, curtainStart } from '../../../src/curtain/rules/curtain.ts'
import { lookAtPictures } from '../../../src/curtain/state/picture-looker.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { silentLog } from '../../support/silent-log.ts'

type Video = HTMLVideoElement
type Running = {
  routine: string[]
  forMs: number
  end: (looks: EndedRoutineLook[] | null) => void
  fail: (error: Error) => void
}

const seen = { firstAt: 0, startedAt: 11_000, endedAt: 11_050, inRow: 0 }
/** A call that is older than ten seconds, at 12 s. */
const settled: CurtainState = { ...curtainStart, looks: 20, peer: seen, own: { ...seen, startedAt: 10_500 } }

function visit(start = settled) {
  const clock = fakeClock(12_000)
  const log = silentLog()
  const state = signal(start)
  const shown = signal({ peer: true, own: true })
  const videos: Record<PictureOf, Video> = { peer: {} as Video, own: {} as Video }
  const nameOf = (video: Video) => (video === videos.peer ? 'peer' : 'own')
  const running: Running[] = []
  const looked: string[] = []
  const judged: string[] = []
  const counts = { interrupts: 0, failed: 0 }
  const stop = lookAtPictures({
    clock,
    log,
    state,
    looksToVeil: 2,
    shown: () => shown.value,
    videoOf: (of) => videos[of],
    judged: (of, shows) => void judged.push(`${of} ${shows}`),
    failed() {
      counts.failed += 1
    },
    looks: {
      async look(video) {
        looked.push(nameOf(video))
        return { flagged: true, score: 1, state: null }
      },
      keepLooking: (routine: readonly RoutineLook<Video>[], forMs) =>
        new Promise((resolve, reject) => {
          const told = routine.map(({ video, inMs, everyMs }) => `${nameOf(video)} in ${inMs} every ${everyMs}`)
          running.push({ routine: told, forMs, end: resolve, fail: reject })
        }),
      interrupt() {
        counts.interrupts += 1
      },
    },
  })
  onTestFinished(stop)

  async function pass(ms: number): Promise<void> {
    clock.advance(ms)
    for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
  }
  return { clock, log, state, shown, running, looked, judged, counts, pass, stop }
}

const fine = (index: number, startedMs: number) => ({
  index,
  startedMs,
  endedMs: startedMs + 50,
  flagged: false,
  state: null,
})

test('after ten seconds the looks go on without the page, which counts them when it is told', async () => {
  const { state, running, looked, pass } = visit()
  await pass(0)
  expect(running).toMatchObject([{ routine: ['peer in 0 every 1000', 'own in 500 every 2000'], forMs: 5_000 }])
  await pass(1_050)
  running[0]?.end([fine(0, 0), fine(1, 500), fine(0, 1_000)])
  await pass(0)
  expect(state.value).toMatchObject({ looks: 22, peer: { startedAt: 13_000 }, own: { startedAt: 12_500 } })
  await pass(1_000)
  expect([running.length, looked]).toEqual([2, []])
})

test('what the looks show over time is told with each of them, and nothing more after the end', async () => {
  const { running, judged, pass, stop } = visit()
  await pass(0)
  running[0]?.end([{ ...fine(0, 0), state: 'black' }, fine(1, 500)])
  await pass(0)
  expect(judged).toEqual(['peer black', 'own null'])
  await pass(2_000)
  stop()
  running[1]?.end([{ ...fine(0, 0), state: 'still' }])
  await pass(0)
  expect(judged).toHaveLength(2)
})

test('a flagged look ends the routine, and the next look comes 0.3 s later by itself', async () => {
  const { state, running, looked, pass } = visit()
  await pass(0)
  running[0]?.end([fine(0, 0), { ...fine(0, 1_000), flagged: true }])
  await pass(0)
  expect(state.value).toMatchObject({ looks: 22, flagged: 1, isVeiled: false })
  await pass(1_300)
  expect([looked, state.value.isVeiled]).toEqual([['peer'], true])
})

test('in the first seconds each look is told to the page', async () => {
  const { running, looked, pass } = visit(curtainStart)
  await pass(0)
  expect([running, looked]).toEqual([[], ['peer']])
})

test('where there is no routine, and for a picture that stands still, the page looks', async () => {
  const { running, looked, pass } = visit()
  await pass(0)
  running[0]?.end(null)
  await pass(0)
  expect(looked).toEqual(['peer'])
  const other = visit()
  await other.pass(0)
  other.running[0]?.end([fine(0, 0), { ...fine(1, 500), flagged: null }])
  await other.pass(0)
  expect([other.looked, other.state.value.looks]).toEqual([['own'], 21])
})

test('what is shown no more ends the routine, and what is shown then is looked at', async () => {
  const { shown, running, counts, pass } = visit()
  await pass(0)
  shown.value = { peer: true, own: true }
  expect(counts.interrupts).toBe(0)
  shown.value = { peer: true, own: false }
  expect(counts.interrupts).toBe(1)
  running[0]?.end([])
  await pass(0)
  await pass(0)
  expect(running.at(-1)?.routine).toEqual(['peer in 0 every 1000'])
})

test('a routine that fails three times in a row ends the check, and one after the stop is no fault', async () => {
  const { log, running, counts, pass } = visit()
  for (let time = 0; time < 3; time += 1) {
    await pass(2_000)
    running.at(-1)?.fail(new AppError('worker-died'))
    await pass(0)
  }
  expect([counts.failed, log.errors.length, running.length]).toEqual([1, 3, 3])
  const other = visit()
  await other.pass(0)
  other.stop()
  other.running[0]?.fail(new AppError('worker-died'))
  await other.pass(2_000)
  expect([other.log.errors, other.clock.waiting(), other.running.length]).toEqual([[], 0, 1])
})
