import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type HubRoute,
  isExhausted,
  movedOn,
  nearestFirst,
  originOf,
  refreshed,
  routeOver,
} from '../../../../src/call/rules/hub-route.ts'

const sites = ['eu', 'us', 'asia'].map((region) => ({ region, origin: `https://${region}.example.org` }))
const regions = (roundTrips: [string, number][]) =>
  nearestFirst(sites, new Map(roundTrips.map(([region, ms]) => [`https://${region}.example.org`, ms]))).map(
    ({ region }) => region,
  )

test('the nearest comes first, sites without a round trip last', () => {
  expect(regions([])).toEqual(['eu', 'us', 'asia'])
  expect(
    regions([
      ['asia', 20],
      ['us', 90],
    ]),
  ).toEqual(['asia', 'us', 'eu'])
})

test('sites with the same round trip stay in the operator’s order', () => {
  expect(
    regions([
      ['us', 30],
      ['eu', 30],
    ]),
  ).toEqual(['eu', 'us', 'asia'])
})

test('every region stays in the order, once', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('eu', 'us', 'asia'), fc.nat())), (roundTrips) => {
      expect(regions(roundTrips).sort()).toEqual(['asia', 'eu', 'us'])
    }),
  )
})

const seen = (route: HubRoute) => [!isExhausted(route), originOf(route)]

test('a route tries each of the others once, returns to the first, and starts again after a connection', () => {
  const first = routeOver(['a', 'b', 'c'])
  expect(originOf(first)).toBe('a')
  const second = movedOn(first)
  expect(seen(second)).toEqual([true, 'b'])
  const third = movedOn(second)
  expect(seen(third)).toEqual([true, 'c'])
  const around = movedOn(third)
  expect(seen(around)).toEqual([false, 'a'])
  expect(seen(movedOn(refreshed(movedOn(around))))).toEqual([true, 'c'])
})

test('a route with one hub has no other', () => {
  expect(seen(movedOn(routeOver([''])))).toEqual([false, ''])
})
