import { expect, test } from 'vitest'
import { sized } from '../../../scripts/test-limits.ts'
import { checkHubModel, World } from '../../support/hub/hub-model.ts'

const STEPS = sized(13_000, 200_000)

test('joins, leaves, drops, resumes, blocks, timeouts and a failing store in any order: one match a user, no excluded pair, no eligible pair left waiting', async () => {
  expect(await checkHubModel(STEPS)).toBeGreaterThanOrEqual(STEPS)
})

test('a block that is made while the matches of both with others fail takes effect', async () => {
  const world = new World(() => 0)
  world.breakStore()
  for (const name of ['a', 'b', 'c', 'd']) {
    world.connect(name, { isStateful: false, isSamePage: true })
    await world.join(name)
    await world.flush()
  }
  // The matches of a and b and of c and d are being written.
  world.block('a', 'c')
  world.closeByClient('b')
  world.closeByClient('d')
  await world.settle()
  expect(['a', 'c'].map((name) => world.isTaken(name))).toEqual([false, false])
})
