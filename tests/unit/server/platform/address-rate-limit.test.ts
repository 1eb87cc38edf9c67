import fastify from 'fastify'
import { expect, test } from 'vitest'
import { limitAddresses } from '../../../../server/platform/http/address-rate-limit.ts'
import { AddressLimits } from '../../../../server/platform/rules/token-bucket.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A server with the rate limit; `answered` holds the number of responses by address. */
async function flooded({ burst = 6_000 } = {}) {
  const clock = fakeClock()
  const app = fastify()
  const limits = new AddressLimits({ perSecond: 100, burst })
  limitAddresses(app, { limits, clock, isProxy: (address) => address === '10.0.0.1', connectionsPerAddress: 1_000 })
  app.get('/', () => 'here')
  await app.ready()
  const answered: Record<string, number> = {}
  const ask = (remoteAddress: string) =>
    app.inject({ url: '/', remoteAddress }).then(() => {
      answered[remoteAddress] = (answered[remoteAddress] ?? 0) + 1
    })
  return { app, clock, answered, ask }
}

test('hundreds of requests of one address at once are spread over time, and other addresses are served between them', async () => {
  const { app, clock, answered, ask } = await flooded()
  const flood = Array.from({ length: 900 }, () => ask('192.0.2.1'))
  const other = ask('192.0.2.2')
  await other
  for (let turn = 0; turn < 20; turn += 1) await settled()
  expect(answered['192.0.2.1']).toBeLessThanOrEqual(200)
  clock.advance(1_000)
  await Promise.all(flood)
  expect(answered).toEqual({ '192.0.2.1': 900, '192.0.2.2': 1 })
  await app.close()
})

test('a hundred requests at once of one address, and any number of a proxy, are not delayed', async () => {
  const { app, answered, ask } = await flooded()
  await Promise.all(Array.from({ length: 100 }, () => ask('192.0.2.1')))
  await Promise.all(Array.from({ length: 900 }, () => ask('10.0.0.1')))
  expect(answered).toEqual({ '192.0.2.1': 100, '10.0.0.1': 900 })
  await app.close()
})

test('a refusal is sent after a second, which slows a flood down', async () => {
  const { app, clock, answered, ask } = await flooded({ burst: 10 })
  const flood = Array.from({ length: 50 }, () => ask('192.0.2.1'))
  await ask('192.0.2.2')
  for (let turn = 0; turn < 20; turn += 1) await settled()
  expect(answered).toEqual({ '192.0.2.1': 10, '192.0.2.2': 1 })
  clock.advance(999)
  for (let turn = 0; turn < 20; turn += 1) await settled()
  expect(answered['192.0.2.1']).toBe(10)
  clock.advance(1)
  await Promise.all(flood)
  expect(answered['192.0.2.1']).toBe(50)
  await app.close()
})
