import { signal } from '@preact/signals-react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallSample } from '../../../../src/call/rules/call-reading.ts'
import { createQualityStore } from '../../../../src/call/state/quality.ts'
import type { PictureChoice } from '../../../../src/platform/rules/picture-choice.ts'
import { bothSeeFullSize, openCamera, openPair } from './peers.ts'

let local: MediaStream
beforeAll(async () => {
  local = await openCamera({ frameRate: 20 })
})
afterAll(() => {
  for (const track of local.getTracks()) track.stop()
})

type Picture = { height: number; frameRate: number; kbps: number }

/** A call whose caller is governed; `arrives` waits until the callee receives what is expected. */
async function governedCall() {
  const pair = openPair(local)
  const { caller, callee } = pair
  await bothSeeFullSize(pair)
  const page = { isHidden: false, longTaskMs: 0, shown: () => {} }
  const choice = signal<PictureChoice>('best')
  /** What the statistics of the browser are replaced by. */
  const network: { given: Partial<CallSample> } = { given: {} }
  const faults: string[] = []
  const store = createQualityStore({
    log: { info: () => {}, error: (message) => void faults.push(message) },
    choice,
    hasCameraPicture: signal(true),
    relayKbps: 800,
    fitCamera: () => {},
    explained: () => {},
    page: {
      hidden: () => page.isHidden,
      onVisibility(listener) {
        page.shown = listener
      },
      takeLongTaskMs: () => page.longTaskMs,
    },
  })
  /** The counters at the last reading. */
  let last: CallSample | null = null

  /** Null until enough time has passed to compute a rate. */
  async function arriving() {
    store.take({ ...(await caller.peer.sample()), ...network.given }, caller.peer)
    const now = await callee.peer.sample()
    const before = last
    if (!before) last = now
    const seconds = before ? (now.at - before.at) / 1_000 : 0
    if (!before || seconds < 0.9) return null
    last = now
    return {
      height: now.receivedHeight,
      frameRate: (now.framesDecoded - before.framesDecoded) / seconds,
      kbps: ((now.bytesReceived - before.bytesReceived) * 8) / 1_000 / seconds,
    }
  }

  return {
    page,
    choice,
    network,
    store,
    faults,
    async arrives(expected: (picture: Picture) => boolean) {
      await expect
        .poll(async () => {
          const picture = await arriving()
          return picture !== null && expected(picture)
        })
        .toBe(true)
    },
    close() {
      store.stop()
      caller.peer.close()
      callee.peer.close()
    },
  }
}

const isWhole = ({ height, frameRate }: Picture) => height === 480 && frameRate > 8
// Sound alone has at most a tenth of this.
const isSoundOnly = ({ frameRate, kbps }: Picture) => frameRate === 0 && kbps > 0 && kbps < 200
// After sound only the estimate of the network is low. On a busy machine the browser takes up to half a minute from there to the full size.
const isBack = ({ frameRate }: Picture) => frameRate > 3

test('a hidden page sends a small and slow video, and the full one again when it is visible', async () => {
  const call = await governedCall()
  await call.arrives(isWhole)
  call.page.isHidden = true
  call.page.shown()
  await call.arrives(({ height, frameRate, kbps }) => height === 180 && frameRate < 8 && kbps < 250)
  call.page.isHidden = false
  call.page.shown()
  await call.arrives(isWhole)
  expect(call.faults).toEqual([])
  call.close()
})

test('a busy page sends less, shows the reason, and recovers', async () => {
  const call = await governedCall()
  await call.arrives(isWhole)
  call.page.longTaskMs = 60_000
  await call.arrives(({ height, frameRate }) => height === 240 && frameRate < 13)
  expect(call.store.indicator.value).toEqual({ bars: 1, reason: 'slow-device' })
  call.page.longTaskMs = 0
  await call.arrives(isWhole)
  expect(call.faults).toEqual([])
  call.close()
})

test('a user who chooses sound only sends no picture, and the picture again after another choice', async () => {
  const call = await governedCall()
  await call.arrives(isWhole)
  call.choice.value = 'sound'
  await call.arrives(isSoundOnly)
  call.choice.value = 'best'
  await call.arrives(isBack)
  expect(call.faults).toEqual([])
  call.close()
})

test('a network that hardly carries the sound gets no picture, and the picture comes back by itself', async () => {
  const call = await governedCall()
  await call.arrives(isWhole)
  call.network.given = { limitedBy: 'bandwidth', availableKbps: 20 }
  await call.arrives(isSoundOnly)
  expect(call.store.indicator.value).toEqual({ bars: 1, reason: 'sound-only' })
  call.network.given = { limitedBy: 'none', availableKbps: 4_000 }
  await call.arrives(isBack)
  expect(call.store.indicator.value.reason).not.toBe('sound-only')
  expect(call.faults).toEqual([])
  call.close()
})
