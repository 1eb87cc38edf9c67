import { signal } from '@preact/signals-react'
import { describe, expect, test } from 'vitest'
import type { PeerStatus } from '#protocol/peer.ts'
import type { CallCause } from '../../../../src/call/rules/call-cause.ts'
import type { CallSample } from '../../../../src/call/rules/call-reading.ts'
import { governorStart } from '../../../../src/call/rules/governor.ts'
import { acceptedMedia, limitsOf, type SendLimits } from '../../../../src/call/rules/send-ladder.ts'
import { createQualityStore } from '../../../../src/call/state/quality.ts'
import type { PictureChoice } from '../../../../src/platform/rules/picture-choice.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'
import { silentLog } from '../../../support/silent-log.ts'

const start = { ...governorStart, last: sampleAt(0) }
const BEST = limitsOf(start, 'best', false, null)
const HIDDEN = limitsOf(start, 'best', true, null)
/** A network that hardly carries the sound. */
const choked: Partial<CallSample> = { limitedBy: 'bandwidth', availableKbps: 15 }

/** A page, a choice and a peer connection that the test controls. */
function setUp() {
  const world = { hidden: false, longTaskMs: 0, refuse: false, keepSize: false }
  const choice = signal<PictureChoice>('best')
  const hasCameraPicture = signal(true)
  const log = silentLog()
  const fitted: (number | null)[] = []
  const explained: CallCause[] = []
  let shown = () => {}
  const store = createQualityStore({
    log,
    choice,
    hasCameraPicture,
    relayKbps: 800,
    fitCamera: ({ availableKbps }) => void fitted.push(availableKbps),
    explained: ({ cause }) => void explained.push(cause),
    page: {
      hidden: () => world.hidden,
      onVisibility(listener) {
        shown = listener
      },
      takeLongTaskMs: () => world.longTaskMs,
    },
  })
  let index = 0

  function openPeer() {
    const limits: SendLimits[] = []
    const delays: (number | null)[] = []
    const told: PeerStatus[] = []
    const measured: number[] = []
    const restored: number[] = []
    return {
      limits,
      delays,
      told,
      measured,
      restored,
      async limit(wanted: SendLimits) {
        if (world.refuse) throw new DOMException('closed', 'InvalidStateError')
        limits.push(wanted)
      },
      delayPlayback: (delayMs: number | null) => void delays.push(delayMs),
      tell: (status: PeerStatus) => void told.push(status),
      measure: () => void measured.push(index),
      async restoreSize() {
        if (world.keepSize) throw new DOMException('closed', 'InvalidStateError')
        restored.push(index)
      },
    }
  }

  return {
    world,
    choice,
    hasCameraPicture,
    log,
    fitted,
    explained,
    store,
    openPeer,
    /** Lets seconds of a call pass that are perfect but for what `given` returns. */
    pass(
      seconds: number,
      peer: ReturnType<typeof openPeer>,
      given: (index: number) => Partial<CallSample> = () => ({}),
    ) {
      let isBest = false
      for (let count = 0; count < seconds; count += 1) {
        index += 1
        isBest = store.take(sampleAt(index, given(index)), peer)
      }
      return isBest
    },
    show(hidden: boolean) {
      world.hidden = hidden
      shown()
    },
  }
}

describe('what is sent', () => {
  test('is limited once in a perfect call, and not before anything is sent', () => {
    const { openPeer, pass } = setUp()
    const peer = openPeer()
    pass(3, peer, () => ({ bytesSent: 0 }))
    expect(peer.limits).toEqual([])
    expect(pass(60, peer)).toBe(true)
    expect(peer.limits).toEqual([BEST])
  })

  test('is limited before anything is sent on a network whose queue a whole picture would fill', () => {
    const { openPeer, pass } = setUp()
    const peer = openPeer()
    pass(1, peer, () => ({ bytesSent: 0, roundTripMs: 1_200 }))
    expect(peer.limits).toHaveLength(1)
    expect(peer.limits[0]?.maxKbps).toBeLessThan(BEST.maxKbps)
  })

  test('steps down on a slow device, and recovers', () => {
    const { store, openPeer, pass } = setUp()
    const peer = openPeer()
    expect(pass(8, peer, () => ({ limitedBy: 'cpu' }))).toBe(false)
    expect(peer.limits.length).toBeGreaterThan(2)
    expect(peer.limits.at(-1)?.scaleDownBy).toBeGreaterThan(1)
    expect(store.indicator.value.reason).toBe('slow-device')
    pass(150, peer)
    expect(peer.limits.at(-1)).toEqual(BEST)
    expect(store.indicator.value).toEqual({ bars: 3, reason: 'good' })
  })

  test('steps down for a page whose thread is busy', () => {
    const { world, openPeer, pass } = setUp()
    const peer = openPeer()
    world.longTaskMs = 500
    pass(8, peer)
    expect(peer.limits.at(-1)?.scaleDownBy).toBeGreaterThan(1)
  })

  test('is sound only on a network that hardly carries the sound, until it carries more', () => {
    const { store, openPeer, pass } = setUp()
    const peer = openPeer()
    pass(15, peer, () => choked)
    expect(peer.limits.at(-1)?.noPicture).toBe('network')
    expect(store.indicator.value).toEqual({ bars: 1, reason: 'sound-only' })
    pass(120, peer)
    expect(peer.limits.at(-1)).toEqual(BEST)
    expect(store.indicator.value).toEqual({ bars: 3, reason: 'good' })
  })

  test('has its full size soon where the browser begins with a small picture and reports no estimate', () => {
    const { openPeer, pass } = setUp()
    const peer = openPeer()
    const small = { availableKbps: null, sentSide: 360 }
    expect(pass(1, peer, () => small)).toBe(false)
    expect(peer.restored).toEqual([])
    pass(1, peer, () => small)
    expect(peer.restored).toHaveLength(1)
    expect(pass(30, peer, () => ({ availableKbps: null }))).toBe(true)
    expect(peer.restored).toHaveLength(1)
  })

  test('is reduced as soon as the page is hidden, and restored as soon as it is visible', () => {
    const { openPeer, pass, show } = setUp()
    const peer = openPeer()
    pass(5, peer)
    show(true)
    expect(peer.limits).toEqual([BEST, HIDDEN])
    pass(30, peer, () => choked)
    expect(peer.limits).toEqual([BEST, HIDDEN])
    show(false)
    expect(peer.limits).toEqual([BEST, HIDDEN, BEST])
  })

  test('follows the choice of the user at once, in the call too', () => {
    const { choice, openPeer, pass } = setUp()
    const peer = openPeer()
    choice.value = 'saver'
    expect(peer.limits).toEqual([])
    pass(1, peer)
    const saver = limitsOf(start, 'saver', false, null)
    expect(peer.limits).toEqual([saver])
    choice.value = 'sound'
    expect(peer.limits.at(-1)).toMatchObject({ noPicture: 'choice' })
    choice.value = 'best'
    expect(peer.limits.at(-1)).toEqual(BEST)
    expect(peer.limits).toHaveLength(3)
  })

  test('is protected from the loss that the peer reports', () => {
    const { openPeer, pass } = setUp()
    const peer = openPeer()
    pass(10, peer, () => ({ remoteLoss: 0.3 }))
    expect(peer.limits.at(-1)).toMatchObject({ noPicture: null, isLossy: true, layers: 3 })
  })

  test('is measured anew after the network fell, and has its full size again when it recovered', () => {
    const { openPeer, pass } = setUp()
    const peer = openPeer()
    pass(20, peer)
    expect([peer.measured, peer.restored]).toEqual([[], []])
    pass(20, peer, () => ({ availableKbps: 300 }))
    expect(peer.measured.length).toBeGreaterThan(1)
    expect(peer.restored).toEqual([])
    pass(20, peer)
    expect(peer.restored).toHaveLength(1)
  })

  test.each([
    ['in the call', false, ['The size of the picture could not be restored']],
    ['after it', true, []],
  ])('keeps its size where the browser refuses another, which is logged %s', async (_, isOver, errors) => {
    const { world, log, store, openPeer, pass } = setUp()
    const peer = openPeer()
    world.keepSize = true
    pass(20, peer)
    pass(20, peer, () => ({ availableKbps: 300 }))
    pass(1, peer)
    if (isOver) store.stop()
    await new Promise((resolve) => setImmediate(resolve))
    expect(log.errors).toEqual(errors)
  })

  test('is limited again after a refusal', async () => {
    const { world, log, openPeer, pass } = setUp()
    const peer = openPeer()
    world.refuse = true
    pass(1, peer)
    await expect.poll(() => log.errors).toEqual(['The picture that is sent could not be limited'])
    world.refuse = false
    pass(1, peer)
    expect(peer.limits).toEqual([BEST])
  })
})

describe('what is received', () => {
  test('is not delayed in a perfect call', () => {
    const { openPeer, pass } = setUp()
    const peer = openPeer()
    pass(60, peer)
    expect(peer.delays).toEqual([])
  })

  test('is delayed once while packets are lost, and no longer some time afterwards', () => {
    const { openPeer, pass } = setUp()
    const peer = openPeer()
    pass(20, peer, (index) => ({ packetsLost: index * 20 }))
    expect(peer.delays).toEqual([expect.any(Number)])
    pass(60, peer, () => ({ packetsLost: 400 }))
    expect(peer.delays).toEqual([expect.any(Number), null])
  })
})

describe('the peer', () => {
  const soundOnly: PeerStatus = {
    noPicture: 'choice',
    stills: false,
    cameraOff: false,
    accepts: acceptedMedia(start, 'sound'),
  }

  test('is told once what is sent and wanted, and again after each change', () => {
    const { choice, openPeer, pass } = setUp()
    const peer = openPeer()
    pass(10, peer)
    expect(peer.told).toEqual([
      { noPicture: null, stills: false, cameraOff: false, accepts: acceptedMedia(start, 'best') },
    ])
    choice.value = 'sound'
    expect(peer.told.at(-1)).toEqual(soundOnly)
    choice.value = 'best'
    pass(15, peer, () => choked)
    expect(peer.told.at(-1)).toMatchObject({ noPicture: 'network', accepts: { picture: true } })
  })

  test('that wants something else all the time is followed at once, and then every five seconds', () => {
    const { store, openPeer, pass } = setUp()
    const peer = openPeer()
    pass(5, peer)
    const full = { ...soundOnly, accepts: acceptedMedia(start, 'best') }
    const limits = peer.limits.length
    for (let second = 0; second < 50; second += 1) {
      store.hear(second % 2 === 0 ? soundOnly : full)
      pass(1, peer)
      if (second === 0) expect(peer.limits).toHaveLength(limits + 1)
    }
    expect(peer.limits.length - limits).toBeLessThanOrEqual(10)
    store.hear(soundOnly)
    pass(5, peer)
    expect(peer.limits.at(-1)).toMatchObject({ noPicture: 'peer' })
  })

  test('is told when the camera is switched off and on', () => {
    const { hasCameraPicture, openPeer, pass } = setUp()
    const peer = openPeer()
    pass(5, peer)
    hasCameraPicture.value = false
    expect(peer.told.at(-1)).toMatchObject({ noPicture: null, cameraOff: true })
    hasCameraPicture.value = true
    expect(peer.told.at(-1)).toMatchObject({ cameraOff: false })
    expect(peer.told).toHaveLength(3)
  })

  test('tells of its camera once a status has said whether it is off, until the end of the call', () => {
    const { store, openPeer, pass } = setUp()
    const peer = openPeer()
    const status = { noPicture: null, stills: false, accepts: acceptedMedia(start, 'best') }
    store.hear(status)
    pass(1, peer)
    expect(store.tellsCameraOff.value).toBe(false)
    store.hear({ ...status, cameraOff: false })
    pass(1, peer)
    store.hear(status)
    pass(1, peer)
    expect(store.tellsCameraOff.value).toBe(true)
    // The next match may come without an end of this one.
    store.hear(status)
    pass(1, openPeer())
    expect(store.tellsCameraOff.value).toBe(false)
    store.hear({ ...status, cameraOff: true })
    pass(1, peer)
    store.stop()
    expect(store.tellsCameraOff.value).toBe(false)
  })

  test('that says its camera is off sends no picture', () => {
    const { store, openPeer, pass } = setUp()
    const peer = openPeer()
    store.hear({ noPicture: null, stills: false, cameraOff: true, accepts: acceptedMedia(start, 'best') })
    pass(1, peer)
    expect([store.peerPicture.value, store.hasPeerPicture.value]).toEqual(['camera-off', false])
  })

  test('is told of stills, and of a moving picture again', () => {
    const { openPeer, pass } = setUp()
    const peer = openPeer()
    pass(15, peer, () => ({ limitedBy: 'bandwidth', availableKbps: 35 }))
    expect(peer.told.at(-1)).toMatchObject({ noPicture: null, stills: true })
    pass(120, peer)
    expect(peer.told.at(-1)).toMatchObject({ noPicture: null, stills: false })
  })

  test('is told what a slow device can show', () => {
    const { openPeer, pass } = setUp()
    const peer = openPeer()
    pass(30, peer, () => ({ limitedBy: 'cpu' }))
    const rates = peer.told.map(({ accepts }) => accepts.maxFrameRate)
    expect(rates.length).toBeGreaterThan(2)
    expect(rates).toEqual(rates.toSorted((one, other) => other - one))
    expect(rates.at(-1)).toBeLessThan(rates[0] ?? 0)
  })

  test('of the next match, whose samples come without an end of the one before, starts anew', () => {
    const { openPeer, pass } = setUp()
    pass(20, openPeer(), () => choked)
    const next = openPeer()
    pass(1, next)
    expect(next.limits).toEqual([BEST])
    expect(next.told).toEqual([
      { noPicture: null, stills: false, cameraOff: false, accepts: acceptedMedia(start, 'best') },
    ])
  })

  test('gets what it accepts with the next sample, and says why it sends no picture, until the call ends', () => {
    const { store, openPeer, pass } = setUp()
    const peer = openPeer()
    pass(5, peer)
    for (let times = 0; times < 1_000; times += 1) store.hear(soundOnly)
    expect(peer.limits).toEqual([BEST])
    pass(1, peer)
    expect(peer.limits.slice(1)).toEqual([limitsOf(start, 'best', false, soundOnly.accepts)])
    expect(peer.told.at(-1)).toMatchObject({ noPicture: 'peer' })
    expect(store.peerPicture.value).toBe('choice')
    store.stop()
    expect(store.peerPicture.value).toBe('moving')
    const next = openPeer()
    pass(1, next)
    expect(next.limits).toEqual([BEST])
  })
})

test('the camera is fitted to the estimates after the first seconds of a call', () => {
  const { fitted, openPeer, pass } = setUp()
  const peer = openPeer()
  pass(governorStart.settling, peer, () => ({ availableKbps: 1_000 }))
  expect(fitted).toEqual([])
  pass(3, peer, () => ({ availableKbps: 2_000 }))
  expect(new Set(fitted)).toEqual(new Set([2_000]))
})

describe('the end of a call', () => {
  test('leaves nothing to limit, and a new call starts anew', () => {
    const { choice, store, openPeer, pass, show } = setUp()
    const peer = openPeer()
    pass(20, peer, (index) => ({ remoteLoss: 0.3, packetsLost: index * 50 }))
    expect(store.indicator.value.reason).toBe('weak-network')
    const before = [peer.limits.length, peer.delays.length]
    store.stop()
    expect(store.indicator.value).toEqual({ bars: 3, reason: 'good' })
    show(true)
    show(false)
    choice.value = 'saver'
    choice.value = 'best'
    expect([peer.limits.length, peer.delays.length]).toEqual(before)
    const next = openPeer()
    pass(1, next)
    expect(next.limits).toEqual([BEST])
    expect(next.delays).toEqual([])
  })

  test('does not log the refusal of a closed connection', async () => {
    const { world, log, store, openPeer, pass } = setUp()
    world.refuse = true
    pass(1, openPeer())
    store.stop()
    await Promise.resolve()
    await Promise.resolve()
    expect(log.errors).toEqual([])
  })
})

test('the cause is shown, told to the peer, reported, and kept after the call until the next one', () => {
  const { store, openPeer, pass, explained } = setUp()
  const peer = openPeer()
  pass(8, peer, () => ({ limitedBy: 'cpu' }))
  expect(store.cause.value).toBe('slow-device')
  expect(peer.told.at(-1)).toMatchObject({ weak: 'device' })
  pass(150, peer)
  expect(peer.told.at(-1)?.weak).toBeUndefined()
  expect(explained).toEqual(['slow-device', 'good'])
  store.hear({ noPicture: null, stills: false, weak: 'device', accepts: acceptedMedia(start, 'best') })
  pass(3, peer)
  expect(store.cause.value).toBe('peer-device')
  store.stop()
  expect(store.cause.value).toBe('good')
  expect(store.causes().map(({ cause }) => cause)).toEqual(['slow-device', 'good', 'peer-device'])
  pass(1, openPeer())
  expect(store.causes()).toEqual([])
})

test('the indicator changes only when its bars or reason do', () => {
  const { store, openPeer, pass } = setUp()
  const peer = openPeer()
  let changes = -1
  const stop = store.indicator.subscribe(() => {
    changes += 1
  })
  pass(60, peer)
  expect(changes).toBe(0)
  pass(20, peer, () => ({ remoteLoss: 0.3 }))
  expect(changes).toBe(1)
  stop()
})
