import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExpiringMap } from '../../../../server/platform/rules/expiring-map.ts'

test('entries exist until they expire, and never more than the limit', () => {
  const steps = fc.array(fc.record({ key: fc.nat(9), after: fc.nat(40) }), { maxLength: 50, size: 'max' })
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 6 }), (all, limit) => {
      const latest = new ExpiringMap<number, number>(100, limit)
      const set = new Map<number, number>()
      let now = 0
      for (const { key, after } of all) {
        now += after
        latest.set(key, now, now)
        set.delete(key)
        set.set(key, now)
        const kept = [...set].slice(-limit).filter(([, at]) => at > now - 100)
        for (let one = 0; one < 10; one += 1) expect(latest.get(one, now)).toBe(new Map(kept).get(one))
      }
    }),
  )
})

test('size and values include unexpired entries only, in the order of insertion', () => {
  const map = new ExpiringMap<string, number>(100)
  map.set('a', 1, 0)
  map.set('b', 2, 10)
  map.set('a', 3, 20)
  expect(map.size(109)).toBe(2)
  expect(map.values(109)).toEqual([2, 3])
  expect(map.values(110)).toEqual([3])
  expect(map.size(120)).toBe(0)
})

test('an entry may have a time of its own', () => {
  const map = new ExpiringMap<string, number>(100)
  map.set('short', 1, 0, 10)
  map.set('usual', 2, 0)
  expect(map.get('short', 9)).toBe(1)
  expect(map.get('short', 10)).toBeUndefined()
  expect(map.get('usual', 99)).toBe(2)
})
