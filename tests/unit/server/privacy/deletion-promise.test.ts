import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DELETION_BUSINESS_DAYS } from '#protocol/deletion.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { readConfig } from '../../../../server/config/config.ts'
import { addBusinessDays } from '../../../../server/privacy/rules/business-days.ts'

test('the longest configurable delay leaves two days until the promised date', () => {
  const { deletionDelayDays } = readConfig({ DELETION_DELAY_DAYS: '7' })
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) }), (asked) => {
      const due = addBusinessDays(asked, DELETION_BUSINESS_DAYS)
      expect(due - (asked + deletionDelayDays * DAY_MS)).toBeGreaterThanOrEqual(2 * DAY_MS)
    }),
  )
})
