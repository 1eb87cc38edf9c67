import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RefreshToken, RefreshTokens } from '../../server/domain/ports.ts'
import {
  createRefreshTokenIssuer,
  REFRESH_GRACE_MS,
  REFRESH_TOKEN_MS,
  type TokenTools,
} from '../../server/domain/tokens.ts'

function memoryTokens(): RefreshTokens & { rows: Map<string, RefreshToken> } {
  const rows = new Map<string, RefreshToken>()
  return {
    rows,
    async add(token) {
      rows.set(token.digest, token)
    },
    async find(digest) {
      return rows.get(digest) ?? null
    },
    async rotate(digest, successor, next, at) {
      const row = rows.get(digest)
      if (!row || row.usedAt !== null) return false
      rows.set(digest, { ...row, usedAt: at, successor })
      rows.set(next.digest, next)
      return true
    },
    async revokeFamily(family) {
      for (const row of rows.values()) if (row.family === family) rows.delete(row.digest)
    },
    async revokeSession(accountId, sessionId) {
      for (const row of rows.values())
        if (row.accountId === accountId && row.sessionId === sessionId) rows.delete(row.digest)
    },
  }
}

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
  const refreshTokens = memoryTokens()
  const clock = { now: () => now, after: () => () => undefined }
  const issuer = createRefreshTokenIssuer({ refreshTokens, tools, clock, newId: () => `family-${++made}` })
  return {
    issuer,
    rows: refreshTokens.rows,
    forward: (ms: number) => {
      now += ms
    },
  }
}

test('every use gives a new token for the same account and session', async () => {
  const { issuer } = setUp()
  const first = await issuer.issue('ada', 's1')
  const second = await issuer.rotate(first)
  expect(second).toEqual({ token: expect.any(String), accountId: 'ada', sessionId: 's1' })
  expect(second?.token).not.toBe(first)
})

test('two tabs that refresh at once get the same token', async () => {
  const { issuer } = setUp()
  const first = await issuer.issue('ada', 's1')
  const [one, other] = await Promise.all([issuer.rotate(first), issuer.rotate(first)])
  expect(one).not.toBeNull()
  expect(one).toEqual(other)
})

test('within its grace a used token leads to the live one, however far the chain went on', async () => {
  const { issuer, forward } = setUp()
  const first = await issuer.issue('ada', 's1')
  const second = await issuer.rotate(first)
  const third = await issuer.rotate(second?.token ?? '')
  forward(REFRESH_GRACE_MS)
  expect(await issuer.rotate(first)).toEqual(third)
})

test('a token that comes back after its grace ends the whole family', async () => {
  const { issuer, forward } = setUp()
  const first = await issuer.issue('ada', 's1')
  const second = await issuer.rotate(first)
  forward(REFRESH_GRACE_MS + 1)
  expect(await issuer.rotate(first)).toBeNull()
  expect(await issuer.rotate(second?.token ?? '')).toBeNull()
})

test('an expired, a revoked and an unknown token are refused', async () => {
  const { issuer, forward } = setUp()
  const revoked = await issuer.issue('ada', 's1')
  await issuer.revoke(revoked)
  const expired = await issuer.issue('ada', 's1')
  forward(REFRESH_TOKEN_MS)
  expect(await issuer.rotate(revoked)).toBeNull()
  expect(await issuer.rotate(expired)).toBeNull()
  expect(await issuer.rotate('made up')).toBeNull()
})

test('whatever is presented when: one live token a family, and a late reuse leaves none', async () => {
  const steps = fc.array(fc.record({ wait: fc.nat(2 * REFRESH_GRACE_MS), which: fc.nat(20) }), {
    maxLength: 30,
    size: 'max',
  })
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const { issuer, rows, forward } = setUp()
      const known = [await issuer.issue('ada', 's1')]
      const usedAt = new Map<string, number>()
      let now = 0
      let revoked = false
      for (const { wait, which } of plan) {
        now += wait
        forward(wait)
        const token = known[which % known.length] ?? ''
        const used = usedAt.get(token)
        const late = used !== undefined && now - used > REFRESH_GRACE_MS
        const rotation = await issuer.rotate(token)
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
