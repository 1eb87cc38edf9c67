import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LoginSessions, RefreshToken, RefreshTokens } from '../../../../server/accounts/rules/login-ports.ts'
import { LOGIN_MS, type Login } from '../../../../server/accounts/rules/login-ports.ts'
import { createEndLogin } from '../../../../server/accounts/rules/own-logins.ts'
import {
  createRefreshTokenIssuer,
  REFRESH_GRACE_MS,
  REFRESH_TOKEN_MS,
  type TokenTools,
} from '../../../../server/accounts/rules/tokens.ts'

/** Login sessions and refresh tokens in memory, with the behaviour of the records. */
function memoryRecords() {
  const rows = new Map<string, RefreshToken>()
  const attached = new Map<string, { accountId: string; signedInAt: number }>()
  const refreshTokens: Pick<RefreshTokens, 'find' | 'rotate' | 'setCrossed' | 'revokeFamily'> = {
    async find(digest) {
      return rows.get(digest) ?? null
    },
    async rotate(digest, use, next) {
      if (attached.get(next.sessionId)?.accountId !== next.accountId) return 'ended'
      const row = rows.get(digest)
      if (!row || row.usedAt !== null) return 'used'
      rows.set(digest, { ...row, ...use })
      rows.set(next.digest, next)
      return 'rotated'
    },
    async setCrossed(digest) {
      const row = rows.get(digest)
      if (row) rows.set(digest, { ...row, isCrossed: 1 })
    },
    async revokeFamily(family) {
      for (const row of rows.values()) if (row.family === family) rows.delete(row.digest)
    },
  }
  const loginSessions: Pick<LoginSessions, 'find' | 'open' | 'end'> = {
    async find(id) {
      const session = attached.get(id)
      return session ? { id, entered: true, ...session } : null
    },
    async open(token, at) {
      attached.set(token.sessionId, { accountId: token.accountId, signedInAt: at })
      for (const row of rows.values()) if (row.sessionId === token.sessionId) rows.delete(row.digest)
      rows.set(token.digest, token)
    },
    async end(id) {
      attached.delete(id)
      for (const row of rows.values()) if (row.sessionId === id) rows.delete(row.digest)
    },
  }
  return { rows, attached, refreshTokens, loginSessions }
}

const login = { accountId: 'ada', sessionId: 's1' }
const home = { network: 'Wi-Fi', device: 'phone' }
const outside = { ...home, network: 'mobile' }
const elsewhere = { network: 'far away', device: 'desktop' }

function setUp() {
  let now = 1_000_000
  let made = 0
  const tools: TokenTools = {
    make: () => `token-${++made}`,
    digest: (token) => `digest of ${token}`,
    seal: (token, key) => JSON.stringify({ token, key }),
    open(sealed, key) {
      const inside = JSON.parse(sealed) as { token: string; key: string }
      if (inside.key !== key) throw new Error('wrong key')
      return inside.token
    },
  }
  const { rows, attached, refreshTokens, loginSessions } = memoryRecords()
  const clock = { now: () => now, after: () => () => undefined }
  const closedOnHub: Login[] = []
  const endLogin = createEndLogin({ loginSessions, endOnHub: (ended) => void closedOnHub.push(ended) })
  const newId = () => `family-${++made}`
  const issuer = createRefreshTokenIssuer({ refreshTokens, loginSessions, endLogin, tools, clock, newId })
  return {
    issuer,
    endLogin,
    rows,
    attached,
    closedOnHub,
    issue: async () => (await issuer.open(login)).token,
    forward: (ms: number) => {
      now += ms
    },
  }
}

test('every rotation returns a new token for the same account and login session', async () => {
  const { issuer, issue } = setUp()
  const first = await issue()
  const second = await issuer.rotate(first, home)
  expect(second).toEqual({ token: expect.any(String), ...login, signedInAt: 1_000_000 })
  expect(second?.token).not.toBe(first)
})

test('two tabs that refresh at once get the same token', async () => {
  const { issuer, issue } = setUp()
  const first = await issue()
  const [one, other] = await Promise.all([issuer.rotate(first, home), issuer.rotate(first, home)])
  expect(one).not.toBeNull()
  expect(one).toEqual(other)
})

test('within its grace period a used token yields the unused one, at any length of the chain', async () => {
  const { issuer, issue, forward } = setUp()
  const first = await issue()
  const second = await issuer.rotate(first, home)
  const third = await issuer.rotate(second?.token ?? '', home)
  forward(REFRESH_GRACE_MS)
  expect(await issuer.rotate(first, home)).toEqual(third)
})

test('a token presented after its grace period ends the login', async () => {
  const { issuer, issue, forward, attached, closedOnHub } = setUp()
  const first = await issue()
  const second = await issuer.rotate(first, home)
  forward(REFRESH_GRACE_MS + 1)
  expect(await issuer.rotate(first, home)).toBeNull()
  expect(await issuer.rotate(second?.token ?? '', home)).toBeNull()
  expect(attached.size).toBe(0)
  expect(closedOnHub).toEqual([login])
})

test('a phone that changes its network in the middle of a rotation keeps its login, however often it repeats the request', async () => {
  const { issuer, issue, attached } = setUp()
  const first = await issue()
  const second = await issuer.rotate(first, home)
  for (const origin of [outside, home, outside]) expect(await issuer.rotate(first, origin)).toEqual(second)
  const third = await issuer.rotate(second?.token ?? '', outside)
  expect(await issuer.rotate(second?.token ?? '', outside)).toEqual(third)
  expect(attached.size).toBe(1)
})

test.each([
  ['network', outside],
  ['device', { ...home, device: 'tablet' }],
])(
  'who follows the rotations from another %s gets one successor, and the next attempt ends the login',
  async (_, origin) => {
    for (const owner of ['first', 'second']) {
      const { issuer, issue, closedOnHub } = setUp()
      const [one, other] = owner === 'first' ? [home, origin] : [origin, home]
      const first = await issue()
      const second = (await issuer.rotate(first, one))?.token ?? ''
      expect((await issuer.rotate(first, other))?.token).toBe(second)
      const third = (await issuer.rotate(second, one))?.token ?? ''
      expect(await issuer.rotate(second, other)).toBeNull()
      expect(await issuer.rotate(third, one)).toBeNull()
      expect(closedOnHub).toEqual([login])
    }
  },
)

test('a second attempt by an earlier token of the chain ends the login as well', async () => {
  const { issuer, issue, closedOnHub } = setUp()
  const first = await issue()
  const second = (await issuer.rotate(first, home))?.token ?? ''
  await issuer.rotate(first, outside)
  await issuer.rotate(second, home)
  expect(await issuer.rotate(first, outside)).toBeNull()
  expect(closedOnHub).toEqual([login])
})

test('a token presented from another network with another device ends the login at once', async () => {
  const { issuer, issue, closedOnHub } = setUp()
  const first = await issue()
  const second = (await issuer.rotate(first, home))?.token ?? ''
  expect(await issuer.rotate(first, elsewhere)).toBeNull()
  expect(await issuer.rotate(second, home)).toBeNull()
  expect(closedOnHub).toEqual([login])
})

test('a token that a server before this rule rotated yields its successor to any origin', async () => {
  const { issuer, issue, rows } = setUp()
  const first = await issue()
  const second = await issuer.rotate(first, home)
  const row = rows.get(`digest of ${first}`)
  if (row) rows.set(row.digest, { ...row, usedNetwork: null, usedDevice: null })
  expect(await issuer.rotate(first, elsewhere)).toEqual(second)
})

test('what is stored of a use differs from token to token', async () => {
  const { issuer, issue, rows } = setUp()
  await issuer.rotate((await issuer.rotate(await issue(), home))?.token ?? '', home)
  const used = [...rows.values()].filter(({ usedAt }) => usedAt !== null)
  expect(new Set(used.flatMap(({ usedNetwork, usedDevice }) => [usedNetwork, usedDevice])).size).toBe(4)
})

test('an expired, a revoked and an unknown token are refused', async () => {
  const { issuer, issue, forward } = setUp()
  const revoked = await issue()
  await issuer.revoke(revoked)
  expect(await issuer.rotate(revoked, home)).toBeNull()
  const expired = await issue()
  forward(REFRESH_TOKEN_MS)
  expect(await issuer.rotate(expired, home)).toBeNull()
  expect(await issuer.rotate('made up', home)).toBeNull()
})

test('a login ends 90 days after the sign-in, with any number of refreshes', async () => {
  const { issuer, issue, forward } = setUp()
  let token = await issue()
  const step = REFRESH_TOKEN_MS - 1
  for (let spent = step; spent < LOGIN_MS; spent += step) {
    forward(step)
    token = (await issuer.rotate(token, home))?.token ?? 'none'
  }
  forward(LOGIN_MS - 3 * step - 1)
  token = (await issuer.rotate(token, home))?.token ?? 'none'
  expect(token).not.toBe('none')
  forward(1)
  expect(await issuer.rotate(token, home)).toBeNull()
})

test('a sign-in with a login session ends the tokens of its earlier login', async () => {
  const { issuer, issue } = setUp()
  const first = await issue()
  const second = await issue()
  expect(await issuer.rotate(first, home)).toBeNull()
  expect(await issuer.rotate(second, home)).not.toBeNull()
})

test('in any order of presentations a family has one unused token, and a late reuse leaves none', async () => {
  const steps = fc.array(fc.record({ wait: fc.nat(2 * REFRESH_GRACE_MS), which: fc.nat(20) }), {
    maxLength: 30,
    size: 'max',
  })
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const { issuer, issue, rows, forward } = setUp()
      const known = [await issue()]
      const usedAt = new Map<string, number>()
      let now = 0
      let revoked = false
      for (const { wait, which } of plan) {
        now += wait
        forward(wait)
        const token = known[which % known.length] ?? ''
        const used = usedAt.get(token)
        const late = used !== undefined && now - used > REFRESH_GRACE_MS
        const rotation = await issuer.rotate(token, home)
        revoked ||= late
        expect(rotation === null).toBe(revoked)
        if (rotation && !known.includes(rotation.token)) known.push(rotation.token)
        if (used === undefined) usedAt.set(token, now)
        const live = [...rows.values()].filter((row) => row.usedAt === null)
        expect(live).toHaveLength(revoked ? 0 : 1)
        if (rotation) expect(live[0]?.digest).toBe(`digest of ${rotation.token}`)
      }
    }),
  )
})
