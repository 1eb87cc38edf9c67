import { describe, expect, test } from 'vitest'
import type { CallSample, SendLimits } from '../../../src/domain/governor.ts'
import type { Tier } from '../../../src/domain/quality-tier.ts'
import { createQualityStore } from '../../../src/stores/quality.ts'
import { sampleAt } from '../../support/call/call-sample.ts'
import { silentLog } from '../../support/silent-log.ts'

const BEST = { maxKbps: 2_500, maxFrameRate: 30, scaleDownBy: 1 }
const HIDDEN = { maxKbps: 80, maxFrameRate: 5, scaleDownBy: 4 }

/** A quality store with a page, a tier and a connection that the test controls. */
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

  function openLine() {
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
    openLine,
    /** Passes good samples to the store, one a second, changed by `given`. */
    pass(seconds: number, line: ReturnType<typeof openLine>, given: Partial<CallSample> = {}) {
      for (let count = 0; count < seconds; count += 1) {
        index += 1
        store.take(sampleAt(index, given), line)
      }
    },
    show(hidden: boolean) {
      world.hidden = hidden
      shown()
    },
  }
}

describe('the sent video', () => {
  test('is limited once in a good call, and not before anything is sent', () => {
    const { openLine, pass } = setUp()
    const line = openLine()
    pass(3, line, { bytesSent: 0 })
    expect(line.limits).toEqual([])
    pass(60, line)
    expect(line.limits).toEqual([BEST])
  })

  test('starts with the best of its tier, and stays there even if the network improves', () => {
    const { world, openLine, pass } = setUp()
    world.tier = 'low'
    const line = openLine()
    pass(1, line, { capturedSide: 360 })
    world.tier = 'high'
    pass(60, line, { capturedSide: 360 })
    expect(line.limits).toEqual([{ maxKbps: 500, maxFrameRate: 20, scaleDownBy: 1 }])
  })

  test('goes down on a slow device, and up again', () => {
    const { store, openLine, pass } = setUp()
    const line = openLine()
    pass(8, line, { limitedBy: 'cpu' })
    expect(line.limits.length).toBeGreaterThan(2)
    expect(line.limits.at(-1)?.maxKbps).toBeLessThan(1_000)
    expect(store.indicator.value.reason).toBe('slow-device')
    pass(60, line)
    expect(line.limits.at(-1)).toEqual(BEST)
    expect(store.indicator.value).toEqual({ bars: 3, reason: 'good' })
  })

  test('goes down for a page whose thread is busy', () => {
    const { world, openLine, pass } = setUp()
    const line = openLine()
    world.longTaskMs = 500
    pass(8, line)
    expect(line.limits.at(-1)?.maxKbps).toBeLessThan(1_000)
  })

  test('is small as soon as the page is hidden, and as before as soon as it is visible', () => {
    const { openLine, pass, show } = setUp()
    const line = openLine()
    pass(5, line)
    show(true)
    expect(line.limits).toEqual([BEST, HIDDEN])
    pass(30, line, { limitedBy: 'bandwidth', availableKbps: 100 })
    expect(line.limits).toEqual([BEST, HIDDEN])
    show(false)
    expect(line.limits).toEqual([BEST, HIDDEN, BEST])
  })

  test('is limited again after a failure', async () => {
    const { world, log, openLine, pass } = setUp()
    const line = openLine()
    world.refuse = true
    pass(1, line)
    await expect.poll(() => log.errors).toEqual(['The picture that is sent could not be limited'])
    world.refuse = false
    pass(1, line)
    expect(line.limits).toEqual([BEST])
  })
})

describe('the end of a call', () => {
  test('ends the limits, and a new call starts from its best', () => {
    const { store, openLine, pass, show } = setUp()
    const line = openLine()
    pass(20, line, { remoteLoss: 0.3 })
    expect(store.indicator.value.reason).toBe('weak-network')
    const count = line.limits.length
    store.stop()
    expect(store.indicator.value).toEqual({ bars: 3, reason: 'good' })
    show(true)
    show(false)
    expect(line.limits.length).toBe(count)
    const next = openLine()
    pass(1, next)
    expect(next.limits).toEqual([BEST])
  })

  test('logs no error of the closed connection', async () => {
    const { world, log, store, openLine, pass } = setUp()
    world.refuse = true
    pass(1, openLine())
    store.stop()
    await Promise.resolve()
    await Promise.resolve()
    expect(log.errors).toEqual([])
  })
})

test('the indicator changes only when its value changes', () => {
  const { store, openLine, pass } = setUp()
  const line = openLine()
  let changes = -1
  const stop = store.indicator.subscribe(() => {
    changes += 1
  })
  pass(60, line)
  expect(changes).toBe(0)
  pass(20, line, { remoteLoss: 0.3 })
  expect(changes).toBe(1)
  stop()
})
