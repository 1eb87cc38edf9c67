import * as v from 'valibot'
import { expect, test } from 'vitest'
import { keptInTwo, LocalIdempotencyStore } from '../../../../server/platform/http/idempotency.ts'

test('the results of endpoints that a server keeps itself are not asked of the shared store', async () => {
  const [shared, here, there] = [() => 0, () => 0, () => 0].map((now) => new LocalIdempotencyStore(now)) as [
    LocalIdempotencyStore,
    LocalIdempotencyStore,
    LocalIdempotencyStore,
  ]
  const [one, other] = [here, there].map((own) => keptInTwo(shared, own, new Set(['addVideoFrame'])))
  let runs = 0
  const carryOut = async () => {
    runs += 1
    return runs
  }
  const ask = (store: typeof one, endpoint: string) =>
    store?.once({ account: 'ada', endpoint, key: 'k' }, v.number(), carryOut)
  expect([await ask(one, 'appeal'), await ask(other, 'appeal')]).toEqual([1, 1])
  expect([await ask(one, 'addVideoFrame'), await ask(one, 'addVideoFrame'), await ask(other, 'addVideoFrame')]).toEqual(
    [2, 2, 3],
  )
  expect(await one?.isFree({ account: 'ada', endpoint: 'addVideoFrame', key: 'k' })).toBe(true)
})
