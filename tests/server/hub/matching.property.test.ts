import { expect, test } from 'vitest'
import { checkHubModel } from '../../support/hub-model.ts'

const STEPS = 200_000

test('joins, leaves, drops, resumes, blocks, timeouts and a failing store in any order: one session a user, no excluded pair, nobody stranded', {
  timeout: 120_000,
}, async () => {
  expect(await checkHubModel(STEPS)).toBeGreaterThanOrEqual(STEPS)
})
