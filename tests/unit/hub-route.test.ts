import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHubRoute, nearestFirst } from '../../src/domain/hub-route.ts'

const sites = ['eu', 'us', 'asia'].map((region) => ({ region, origin: `https://${region}.example.org` }))
const regions = (roundTrips: [string, number][]) =>
  nearestFirst(sites, new Map(roundTrips.map(([region, ms]) => [`https://${region}.example.org`, ms]))).map(
    ({ region }) => region,
  )

test('the nearest comes first, who did not answer last', () => {
  expect(regions([])).toEqual(['eu', 'us', 'asia'])
  expect(
    regions([
      ['asia', 20],
      ['us', 90],
    ]),
  ).toEqual(['asia', 'us', 'eu'])
})

test('of two that are equally near the operator names the first', () => {
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

test('a route tries each of the others once, comes back to the first, and begins anew when the hub is there', () => {
  const route = createHubRoute(['a', 'b', 'c'])
  expect(route.origin()).toBe('a')
  expect([route.moveOn(), route.origin()]).toEqual([true, 'b'])
  expect([route.moveOn(), route.origin()]).toEqual([true, 'c'])
  expect([route.moveOn(), route.origin()]).toEqual([false, 'a'])
  route.moveOn()
  route.refresh()
  expect([route.moveOn(), route.origin()]).toEqual([true, 'c'])
})

test('a route of one leads nowhere else', () => {
  const route = createHubRoute([''])
  expect([route.moveOn(), route.origin()]).toEqual([false, ''])
})
