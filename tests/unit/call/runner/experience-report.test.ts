import { expect, test, vi } from 'vitest'
import type { EndpointInput } from '#protocol/rest.ts'
import { createExperienceReport } from '../../../../src/call/runner/match-reports.ts'
import { searching } from '../../../support/call/call-visit.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { fakeApi } from '../../../support/fakes/fake-api.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { waitFor } from '../../../support/wait-for.ts'

function following({ isAllowed = true, inpMs = null as number | null } = {}) {
  const clock = fakeClock()
  const log = silentLog()
  const sent: EndpointInput<'addExperience'>[] = []
  const given = { isAllowed }
  const loadPage = vi.fn(async () => ({ browser: 'firefox' as const, inpMs: () => inpMs }))
  const api = fakeApi({
    addExperience(input) {
      sent.push(input)
      return { message: 'Valid' }
    },
  })
  const report = createExperienceReport({ api, clock, log, experience: { isAllowed: () => given.isAllowed, loadPage } })
  /** Lets what is under way arrive. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return { clock, log, sent, given, loadPage, report, settle }
}

test('a match is reported at its end, with first picture, freezes, INP and browser, and nothing else', async () => {
  const { clock, report, sent, settle } = following({ inpMs: 88.4 })
  report.begin()
  clock.advance(900)
  report.pictureArrived()
  report.pictureArrived()
  for (const [at, freezes] of [
    [1_000, 0],
    [2_000, 1],
    [31_000.4, 2],
  ] as const)
    report.sampled({ at, freezes }, true)
  await settle()
  expect(sent).toEqual([])
  report.end()
  report.end()
  await settle()
  expect(sent).toEqual([
    { outcome: 'connected', firstFrameMs: 900, picture: { ms: 30_000, freezes: 2 }, browser: 'firefox', inpMs: 88 },
  ])
})

test('time without a moving picture, and freezes in it, do not count', async () => {
  const { report, sent, settle } = following()
  report.begin()
  report.pictureArrived()
  report.sampled({ at: 0, freezes: 0 }, true)
  report.sampled({ at: 1_000, freezes: 0 }, true)
  report.sampled({ at: 2_000, freezes: 5 }, false)
  report.sampled({ at: 3_000, freezes: 6 }, true)
  report.sampled({ at: 5_000, freezes: 7 }, true)
  report.end()
  await settle()
  expect(sent).toMatchObject([{ picture: { ms: 3_000, freezes: 1 } }])
})

test('a browser that does not count freezes says nothing of them, nor of presses that were not made', async () => {
  const { report, sent, settle } = following()
  report.begin()
  report.pictureArrived()
  report.sampled({ at: 0, freezes: null }, true)
  report.sampled({ at: 1_000, freezes: null }, true)
  report.end()
  await settle()
  expect(sent).toEqual([{ outcome: 'connected', firstFrameMs: 0, browser: 'firefox' }])
})

test('no more is said than the server takes', async () => {
  const { clock, report, sent, settle } = following({ inpMs: 3e9 })
  report.begin()
  clock.advance(61_000)
  report.pictureArrived()
  report.sampled({ at: 0, freezes: 0 }, true)
  report.sampled({ at: 1_000, freezes: 40 }, true)
  report.end()
  await settle()
  expect(sent).toMatchObject([{ firstFrameMs: 60_000, inpMs: 60_000, picture: { ms: 1_000, freezes: 6 } }])
})

test('a match without a picture has failed if its connection broke, and was left otherwise', async () => {
  const { report, sent, settle } = following()
  report.begin()
  report.broken()
  report.end()
  report.begin()
  report.end()
  await settle()
  expect(sent.map(({ outcome }) => outcome)).toEqual(['failed', 'left'])
})

test('without consent nothing is loaded and nothing sent, whenever it is withdrawn or given', async () => {
  const { given, loadPage, report, sent, settle } = following({ isAllowed: false })
  report.begin()
  given.isAllowed = true
  report.pictureArrived()
  report.sampled({ at: 0, freezes: 0 }, true)
  report.end()
  await settle()
  expect(loadPage).not.toHaveBeenCalled()
  report.begin()
  given.isAllowed = false
  report.end()
  await settle()
  expect(loadPage).not.toHaveBeenCalled()
  given.isAllowed = true
  report.begin()
  report.end()
  given.isAllowed = false
  await settle()
  expect(sent).toEqual([])
})

test('what cannot be loaded or sent is logged and disturbs nothing', async () => {
  const log = silentLog()
  const loadPage = async () => Promise.reject(new Error('no network'))
  const experience = { isAllowed: () => true, loadPage }
  const report = createExperienceReport({ api: fakeApi({}), clock: fakeClock(), log, experience })
  const told = vi.spyOn(log, 'info')
  report.begin()
  report.pictureArrived()
  report.end()
  await waitFor(() => expect(told).toHaveBeenCalledTimes(2))
  expect(log.errors).toEqual([])
})

test('the call tells its report of the match, the picture and the end', async () => {
  const sent: unknown[] = []
  const experience = { isAllowed: () => true, loadPage: async () => ({ browser: 'safari' as const, inpMs: () => 40 }) }
  const { call, clock, hub, peers } = await searching(
    {
      addExperience(input) {
        sent.push(input)
        return { message: 'Valid' }
      },
    },
    { experience },
  )
  hub.emit('OnUserMatched', 'Caller', 's', 'peer')
  await waitFor(() => expect(peers[0]).toBeDefined())
  clock.advance(700)
  peers[0]?.emit({ type: 'connection', state: 'connected' })
  peers[0]?.emit({ type: 'video-arrived' })
  call.dispatch({ type: 'left' })
  await waitFor(() => expect(sent).toEqual([{ outcome: 'connected', firstFrameMs: 700, browser: 'safari', inpMs: 40 }]))
})
