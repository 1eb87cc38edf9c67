import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mediaSettings, raisedTier, type Tier, tierFor } from '../../../src/devices/rules/quality-tier.ts'

// Rules: docs/product.md LIMIT-20.

const tiers: Tier[] = ['low', 'medium', 'high']
const downlink = fc.double({ min: 0, max: 100, noNaN: true })

describe('the tier', () => {
  test.each([
    [0, 'low'],
    [1.99, 'low'],
    [2, 'medium'],
    [4.99, 'medium'],
    [5, 'high'],
    [100, 'high'],
  ] as const)('of a downlink of %d Mbit/s is %s', (speed, tier) => {
    expect(tierFor(speed, false)).toBe(tier)
  })

  test('of a browser without an estimate is high, or medium on a weak CPU', () => {
    expect(tierFor(null, false)).toBe('high')
    expect(tierFor(null, true)).toBe('medium')
    expect(tierFor(10, true)).toBe('high')
  })

  test('never falls when the downlink is faster, whatever the CPU', () => {
    fc.assert(
      fc.property(downlink, downlink, fc.boolean(), (one, other, weak) => {
        const [slow, fast] = [Math.min(one, other), Math.max(one, other)]
        expect(tiers.indexOf(tierFor(fast, weak))).toBeGreaterThanOrEqual(tiers.indexOf(tierFor(slow, weak)))
      }),
    )
  })
})

describe('the estimate of a call', () => {
  const anyTier = fc.constantFrom(...tiers)
  const estimate = fc.option(fc.integer({ min: 0, max: 10_000 }))

  test('never lowers the tier, and raises it at most once', () => {
    fc.assert(
      fc.property(anyTier, estimate, (tier, kbps) => {
        const raised = raisedTier(tier, kbps)
        if (raised === null) return
        expect(tiers.indexOf(raised)).toBeGreaterThan(tiers.indexOf(tier))
        expect(raisedTier(raised, kbps)).toBeNull()
      }),
    )
  })

  test('raises every tier to the same one, and a higher estimate to no lower one', () => {
    const reached = (tier: Tier, kbps: number | null) => tiers.indexOf(raisedTier(tier, kbps) ?? tier)
    fc.assert(
      fc.property(estimate, estimate, (one, other) => {
        const [less, more] = [Math.min(one ?? 0, other ?? 0), Math.max(one ?? 0, other ?? 0)]
        expect(reached('low', more)).toBeGreaterThanOrEqual(reached('low', less))
        if (reached('low', more) > tiers.indexOf('medium')) expect(reached('medium', more)).toBe(reached('low', more))
      }),
    )
  })

  test('raises the lowest tier to the highest on a fast network, and not without a measurement', () => {
    expect(raisedTier('low', 10_000)).toBe('high')
    expect(raisedTier('medium', 10_000)).toBe('high')
    expect(raisedTier('low', 1_000)).toBe('medium')
    // The last is the estimate with which a call starts.
    for (const kbps of [null, 0, 100, 500]) expect(raisedTier('low', kbps)).toBeNull()
  })
})

describe('the settings', () => {
  test.each([
    ['high', { ideal: 1280, max: 1920, min: 640 }, { ideal: 30, max: 60, min: 15 }, 48_000, 2],
    ['medium', { ideal: 854, max: 1280, min: 640 }, { ideal: 24, max: 30, min: 15 }, 44_100, 1],
    ['low', { ideal: 640, max: 854, min: 640 }, { ideal: 15, max: 24, min: 15 }, 44_100, 1],
  ] as const)('of the tier %s are those of the table', (tier, width, frameRate, sampleRate, channelCount) => {
    const { video, audio } = mediaSettings(tier, false)
    expect(video.width).toEqual(width)
    expect(video.frameRate).toEqual(frameRate)
    expect(audio).toEqual({
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
      sampleRate,
      channelCount,
    })
  })

  test.each(tiers)('of the tier %s are 16:9, and upright in portrait', (tier) => {
    const landscape = mediaSettings(tier, false).video
    const portrait = mediaSettings(tier, true).video
    expect(landscape.height.ideal).toBe(Math.round((landscape.width.ideal * 9) / 16))
    expect([portrait.width, portrait.height]).toEqual([landscape.height, landscape.width])
  })

  test.each(tiers)('of the tier %s have no contradiction', (tier) => {
    for (const portrait of [true, false]) {
      for (const { min, ideal, max } of Object.values(mediaSettings(tier, portrait).video)) {
        expect(min).toBeLessThanOrEqual(ideal)
        expect(ideal).toBeLessThanOrEqual(max)
      }
    }
  })
})
