import { describe, expect, test } from 'vitest'
import type { CallSample, SendLimits } from '../../../src/domain/governor.ts'
import type { Tier } from '../../../src/domain/quality-tier.ts'
import { createQualityStore } from '../../../src/stores/quality.ts'
import { sampleAt } from '../../support/call/call-sample.ts'
import { silentLog } from '../../support/silent-log.ts'

const BEST = { maxKbps: 2_500, maxFrameRate: 30, scaleDownBy: 1 }
const HIDDEN = { maxKbps: 80, maxFrameRate: 5, scaleDownBy: 4 }

/** A page, a tier and a peer connection that the test controls. */
function setUp() {
  const world = { hidden: false, longTaskMs: 0, tier: 'high' as Tier, refuse: false }
  const log = silentLog()
  let shown = () => {}
  const store = createQualityStore({
    log,
    tier: () => world.tier,
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
    return {
      limits,
      async limit(wanted: SendLimits) {
        if (world.refuse) throw new DOMException('closed', 'InvalidStateError')
        limits.push(wanted)
      },
    }
  }

  return {
    world,
    log,
    store,
    openPeer,
    /** Lets seconds of a call pass that are perfect but for `given`. */
    pass(seconds: number, peer: ReturnType<typeof openPeer>, given: Partial<CallSample> = {}) {
      for (let count = 0; count < seconds; count += 1) {
        index += 1
        store.take(sampleAt(index, given), peer)
      }
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
    pass(3, peer, { bytesSent: 0 })
    expect(peer.limits).toEqual([])
    pass(60, peer)
    expect(peer.limits).toEqual([BEST])
  })

  test('starts with the best level of the tier, and never goes above it', () => {
    const { world, openPeer, pass } = setUp()
    world.tier = 'low'
    const peer = openPeer()
    pass(1, peer, { capturedSide: 360 })
    world.tier = 'high'
    pass(60, peer, { capturedSide: 360 })
    expect(peer.limits).toEqual([{ maxKbps: 500, maxFrameRate: 20, scaleDownBy: 1 }])
  })

  test('steps down on a slow device, and recovers', () => {
    const { store, openPeer, pass } = setUp()
    const peer = openPeer()
    pass(8, peer, { limitedBy: 'cpu' })
    expect(peer.limits.length).toBeGreaterThan(2)
    expect(peer.limits.at(-1)?.maxKbps).toBeLessThan(1_000)
    expect(store.indicator.value.reason).toBe('slow-device')
    pass(60, peer)
    expect(peer.limits.at(-1)).toEqual(BEST)
    expect(store.indicator.value).toEqual({ bars: 3, reason: 'good' })
  })

  test('steps down for a page whose thread is busy', () => {
    const { world, openPeer, pass } = setUp()
    const peer = openPeer()
    world.longTaskMs = 500
    pass(8, peer)
    expect(peer.limits.at(-1)?.maxKbps).toBeLessThan(1_000)
  })

  test('is reduced as soon as the page is hidden, and restored as soon as it is visible', () => {
    const { openPeer, pass, show } = setUp()
    const peer = openPeer()
    pass(5, peer)
    show(true)
    expect(peer.limits).toEqual([BEST, HIDDEN])
    pass(30, peer, { limitedBy: 'bandwidth', availableKbps: 100 })
    expect(peer.limits).toEqual([BEST, HIDDEN])
    show(false)
    expect(peer.limits).toEqual([BEST, HIDDEN, BEST])
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

describe('the end of a call', () => {
  test('leaves nothing to limit, and a new call starts anew', () => {
    const { store, openPeer, pass, show } = setUp()
    const peer = openPeer()
    pass(20, peer, { remoteLoss: 0.3 })
    expect(store.indicator.value.reason).toBe('weak-network')
    const before = peer.limits.length
    store.stop()
    expect(store.indicator.value).toEqual({ bars: 3, reason: 'good' })
    show(true)
    show(false)
    expect(peer.limits.length).toBe(before)
    const next = openPeer()
    pass(1, next)
    expect(next.limits).toEqual([BEST])
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

test('the indicator changes only when its bars or reason do', () => {
  const { store, openPeer, pass } = setUp()
  const peer = openPeer()
  let changes = -1
  const stop = store.indicator.subscribe(() => {
    changes += 1
  })
  pass(60, peer)
  expect(changes).toBe(0)
  pass(20, peer, { remoteLoss: 0.3 })
  expect(changes).toBe(1)
  stop()
})
