import { describe, expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { OwnLogin } from '#protocol/logins.ts'
import type { Identity } from '../../../src/account/ports.ts'
import { createLoginStore } from '../../../src/account/state/logins.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { openFakeWindow } from '../../support/fakes/fake-sign-in-window.ts'
import { silentLog } from '../../support/silent-log.ts'

const ada: Identity = {
  source: 'Google',
  accessToken: 'token',
  emailAddress: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'NA',
  profilePictureUrl: 'NA',
}
const here: OwnLogin = {
  id: 'a'.repeat(43),
  isCurrent: true,
  signedInAt: 0,
  seenAt: 0,
  browser: 'Firefox',
  device: 'desktop',
  os: 'Linux',
  city: null,
  country: null,
}
const phone: OwnLogin = { ...here, id: 'b'.repeat(43), isCurrent: false }
const tablet: OwnLogin = { ...here, id: 'c'.repeat(43), isCurrent: false }
const valid = () => ({ message: 'Valid' })
const read = () => ({ source: 'Google' as const, logins: [here, phone, tablet] })

const provider = async () => ({ signIn: async () => ada })

function signedIn(responses: Parameters<typeof fakeApi>[0] = {}) {
  const api = fakeApi({ readLogins: read, endLogin: valid, endOtherLogins: valid, ...responses })
  const log = silentLog()
  const logins = createLoginStore({
    api,
    providers: { Google: provider, Facebook: null },
    log,
  })
  return { api, log, logins }
}

test.each([
  ['one login', 'end', [here, tablet]],
  ['all others', 'endOthers', [here]],
] as const)('%s that the server has ended is removed, even if the list cannot be read again', async (_, name, left) => {
  let reads = 0
  const { logins } = signedIn({
    readLogins: () => {
      reads += 1
      if (reads > 1) throw new AppError('network-error')
      return read()
    },
  })
  await logins.load()
  expect(await logins[name](phone.id)).toBe(true)
  expect(logins.logins.value).toEqual(left)
})

test('a list that arrives after `forget` is dropped', async () => {
  const { logins } = signedIn()
  const reading = logins.load()
  logins.forget()
  await reading
  expect(logins.logins.value).toBeNull()
  expect(logins.source.value).toBeNull()
})

describe('signing in again', () => {
  test('sends requests to the provider and the server', async () => {
    const { logins, api } = signedIn({ signInAgain: valid })
    expect(await logins.signInAgain('Google', openFakeWindow)).toBe('done')
    expect(api.made).toEqual(['signInAgain'])
    expect(logins.signingIn.value).toBe(false)
  })

  test.each([
    ['sign-in-cancelled', 'cancelled', 0],
    ['popup-blocked', 'blocked', 0],
    ['other-account', 'other-account', 0],
    ['network-error', 'failed', 1],
  ] as const)('%s is %s', async (code, outcome, logged) => {
    const { logins, log } = signedIn({ signInAgain: () => Promise.reject(new AppError(code)) })
    expect(await logins.signInAgain('Google', openFakeWindow)).toBe(outcome)
    expect(log.errors).toHaveLength(logged)
    expect(await logins.signInAgain('Facebook', openFakeWindow)).toBe('failed')
  })
})
