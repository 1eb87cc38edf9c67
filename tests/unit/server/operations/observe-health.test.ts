import fastify from 'fastify'
import { expect, test } from 'vitest'
import { API_BASE } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import { observeHealth, withHealth } from '../../../../server/operations/observe-health.ts'
import { ServiceHealth } from '../../../../server/operations/rules/service-status.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { noMetrics } from '../../../support/no-metrics.ts'

const ready = { hasDatabase: true, hasRedis: true, waiting: 0 }
const times = <T>(count: number, task: () => T) => Array.from({ length: count }, task)
const waiter = { region: 'eu', waitedMs: 0 }

test('matches that never became calls are trouble of the calls; those that somebody left are not', () => {
  const clock = fakeClock()
  const health = new ServiceHealth(0)
  const metrics = withHealth(noMetrics, health, clock)
  let accounts = 0
  const someone = () => [{ accountId: `account ${++accounts}`, origin: null, wasApart: false }]
  times(30, () => metrics.matchSettled('left', someone()))
  expect(health.status(ready, [], 0).calls.state).toBe('works')
  times(8, () => metrics.matchSettled('connected', someone()))
  times(2, () => metrics.matchSettled('timed-out', someone()))
  expect(health.status(ready, [], 0).calls.state).toBe('trouble')
})

test('a match shows that the queue works', () => {
  const clock = fakeClock()
  const health = new ServiceHealth(0)
  const metrics = withHealth(noMetrics, health, clock)
  const crowd = { ...ready, waiting: 50 }
  clock.advance(200_000)
  expect(health.status(crowd, [], clock.now()).matching.state).toBe('trouble')
  metrics.matchMade(waiter, waiter)
  expect(health.status(crowd, [], clock.now()).matching.state).toBe('works')
})

test.each([
  ['signIn', 'setTokens'],
  ['pictures', 'addVideoFrame'],
] as const)('faults of the server are trouble of %s; refusals and other endpoints are not', async (part, name) => {
  const health = new ServiceHealth(0)
  const app = fastify()
  observeHealth(app, health, fakeClock())
  const path = `${API_BASE}/${endpoints[name].path}`
  const answer = { status: 200 }
  for (const url of [path, '/other']) app.post(url, (_request, reply) => reply.code(answer.status).send())
  async function post(url: string, status: number, count: number): Promise<void> {
    answer.status = status
    await Promise.all(times(count, () => app.inject({ method: 'POST', url })))
  }
  await post(path, 401, 40)
  await post(path, 429, 40)
  await post('/other', 500, 40)
  await post('/missing', 500, 40)
  await post(path, 200, 8)
  expect(health.status(ready, [], 0)[part]).toEqual({ state: 'works' })
  await post(path, 503, 2)
  expect(health.status(ready, [], 0)[part].state).toBe('trouble')
  await post(path, 500, 40)
  expect(health.status(ready, [], 0)[part].state).toBe('down')
  await app.close()
})
