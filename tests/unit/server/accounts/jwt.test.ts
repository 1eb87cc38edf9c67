import { expect, test } from 'vitest'
import { createJwt } from '../../../../server/accounts/http/jwt.ts'
import { ACCESS_TOKEN_MS } from '../../../../server/accounts/rules/tokens.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

const login = { accountId: 'ada', sessionId: 's', signedInAt: 1_700_000_000_000 }

function jwtForTest() {
  const clock = fakeClock(login.signedInAt)
  return { clock, jwt: createJwt('a secret of thirty-two characters', clock) }
}

test('an access token that was verified before is over at the same moment as one that was not', async () => {
  const { clock, jwt } = jwtForTest()
  const [known, fresh] = [await jwt.makeAccessToken(login), await jwt.makeAccessToken({ ...login, accountId: 'bob' })]
  const stated = { ...login, issuedAt: login.signedInAt }
  clock.advance(60_000)
  expect(await jwt.readAccessToken(known)).toEqual(stated)
  clock.advance(ACCESS_TOKEN_MS - 60_001)
  expect(await jwt.readAccessToken(known)).toEqual(stated)
  expect(await jwt.readAccessToken(fresh)).toEqual({ ...stated, accountId: 'bob' })
  clock.advance(1)
  expect([await jwt.readAccessToken(known), await jwt.readAccessToken(fresh)]).toEqual([null, null])
})

test('a token that resembles a verified one, and one of another purpose, are refused', async () => {
  const { jwt } = jwtForTest()
  const token = await jwt.makeAccessToken(login)
  await jwt.readAccessToken(token)
  const [head, , signature] = token.split('.')
  const [, other] = (await jwt.makeAccessToken({ ...login, accountId: 'bob' })).split('.')
  expect(await jwt.readAccessToken(`${head}.${other}.${signature}`)).toBeNull()
  expect(await jwt.readAccessToken(await jwt.makeHubToken(login))).toBeNull()
  expect(await jwt.readHubToken(token)).toBeNull()
})
