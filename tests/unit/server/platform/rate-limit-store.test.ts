import { expect, test } from 'vitest'
import { rateStore } from '../../../../server/platform/http/api.ts'
import { LocalCounts } from '../../../../server/platform/rules/counts.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const routeOf = (url: string, isCountedAlone?: boolean) => ({
  routeInfo: { method: 'GET', url, config: { isCountedAlone } },
})

test('an endpoint is counted with all servers, or by each server alone where its limit says so', async () => {
  const { now } = fakeClock()
  const shared = new LocalCounts(now)
  const [one, other] = [new LocalCounts(now), new LocalCounts(now)]
  const add = (own: LocalCounts, url: string, isCountedAlone?: boolean) =>
    new Promise((resolve) => {
      const Store = rateStore(shared, own, 'api')
      const route = new Store({}).child(routeOf(url, isCountedAlone) as never)
      route.incr('ada', (_error, result) => resolve(result?.current), 60_000, 10)
    })
  expect([await add(one, '/turn'), await add(other, '/turn')]).toEqual([1, 2])
  expect([await add(one, '/count', true), await add(other, '/count', true), await add(one, '/count', true)]).toEqual([
    1, 1, 2,
  ])
})
