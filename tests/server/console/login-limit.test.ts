import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleEndpoints } from '#protocol/console.ts'
import { API_BASE, REQUESTED_WITH } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { byModerator, createConsoleCookies, loginRoutes } from '../../../server/console/http/login-routes.ts'
import type { ConsoleCaller } from '../../../server/console/rules/ports.ts'
import { serveApi } from '../../../server/platform/http/api.ts'
import { LocalIdempotencyStore } from '../../../server/platform/http/idempotency.ts'
import { sendErrorsAsProblems } from '../../../server/platform/http/problems.ts'
import { LocalCounts } from '../../../server/platform/rules/counts.ts'
import { movableClock } from '../../support/movable-clock.ts'

const ORIGIN = 'http://localhost:3000'
const ATTEMPTS_A_MINUTE = 10
const { now } = movableClock()
const app = fastify()

const logins = {
  knownDevice: () => null,
  open: async () => {
    throw new AppError('login-required')
  },
  close: async () => undefined,
}

beforeAll(async () => {
  app.decorateRequest('callerId', null)
  sendErrorsAsProblems(app)
  const cookies = createConsoleCookies(false)
  await serveApi(app, {
    scope: 'console',
    counts: new LocalCounts(now),
    ownCounts: new LocalCounts(now),
    idempotency: new LocalIdempotencyStore(now),
    originAllowed: (origin) => origin === ORIGIN,
    table: consoleEndpoints,
    authenticate: async (): Promise<ConsoleCaller | null> => null,
    idOf: () => '',
    limitKey: byModerator,
    groups: [(endpoint) => loginRoutes(endpoint, logins, cookies)],
  })
})
afterAll(() => app.close())

async function attempt(remoteAddress: string): Promise<number> {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: `${API_BASE}/${consoleEndpoints.login.path}`,
    headers: { origin: ORIGIN, [REQUESTED_WITH.name]: REQUESTED_WITH.value },
    payload: { name: 'ada', password: 'a wrong password', code: '123456' },
    remoteAddress,
  })
  return statusCode
}

test.each([
  [
    'IPv6, whose /64 network counts as one',
    (index: number) => `2001:db8:1:2::${index.toString(16)}`,
    '2001:db8:1:3::1',
  ],
  ['IPv4', () => '192.0.2.1', '192.0.2.2'],
])('login attempts of one network are limited: %s', async (_family, addressOf, elsewhere) => {
  for (let index = 1; index <= ATTEMPTS_A_MINUTE; index += 1) expect(await attempt(addressOf(index))).toBe(401)
  expect(await attempt(addressOf(ATTEMPTS_A_MINUTE + 1))).toBe(429)
  expect(await attempt(elsewhere)).toBe(401)
})
