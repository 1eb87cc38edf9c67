import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExpiringMap } from '../../server/platform/rules/expiring-map.ts'

test('the last entries are there for their time, and never more than may be', () => {
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
