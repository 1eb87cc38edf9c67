import { describe, expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { EndpointInput } from '#protocol/rest.ts'
import { openFakeWindow } from '../../support/fakes/fake-sign-in-window.ts'
import { firstVisit, startOf } from '../../support/fakes/start-of.ts'
import { ada, picture, valid, visitor } from '../../support/stores/account-visitor.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('the start of a visit', () => {
  const never = () => new Promise<never>(() => {})

  test('is one request for a user who is signed in', async () => {
    const { account, api } = visitor({ readStart: () => startOf() })
    expect(await account.start()).toBe('dashboard')
    expect([account.email.value, account.nickName.value]).toEqual(['ada@example.org', 'Ada'])
    expect(api.made).toEqual(['readStart'])
  })

  test('is one request for a new visitor, and the entry waits for the sign-in page', async () => {
    const { account, api, visit } = visitor({ readStart: firstVisit, readIp: never })
    expect(await account.start()).toBe('login')
    expect([api.made, visit.userSessionId.value]).toEqual([['readStart'], 'visit-1'])
    account.signInShown()
    expect(api.made).toEqual(['readStart', 'readIp'])
  })

  test.each(['timeout', 'network-error', 'http-error'] as const)('%s stops it with the error popup', async (code) => {
    const { account, toasts, visit } = visitor({ readStart: () => Promise.reject(new AppError(code)) })
    expect(await account.start()).toBeNull()
    expect(toasts.failure.value?.code).toBe(code)
    expect(visit.flags.value.splashScreenPageLoaded).toBe(false)
  })

  test('is taken over once by the splash screen if it began before', async () => {
    const { account, api } = visitor({ readStart: () => startOf() })
    const ahead = account.startAhead()
    expect(await account.start()).toBe(await ahead)
    expect(api.made).toEqual(['readStart'])
    expect(await account.start()).toBe('dashboard')
    expect(api.made).toEqual(['readStart', 'readStart'])
  })

  test('tokens wait for the entry, and the entry not for the lookup', async () => {
    const { account, api } = visitor({ readStart: firstVisit, readIp: never, createSession: valid })
    await account.start()
    account.signInShown()
    expect(await account.signIn('Google', openFakeWindow)).toBe(true)
    expect(api.made).toEqual(['readStart', 'readIp', 'createSession', 'setTokens', 'addOauthUser'])
  })

  test('a tab whose login session another tab has replaced after the entry signs in with the new one', async () => {
    const sessions: string[] = []
    const { account, identified } = visitor({
      readStart: () => ({ ...firstVisit(), timestamp: 500 }),
      readIp: never,
      createSession: ({ UserSessionId }) => {
        sessions.push(`entry ${UserSessionId}`)
        return valid()
      },
      readSession: () => ({ cookieValue: 'visit-2#new' }),
      setTokens: ({ userSessionId }) => {
        sessions.push(`tokens ${userSessionId}`)
        if (userSessionId === 'visit-1') throw new AppError('forbidden')
        return valid()
      },
    })
    await account.start()
    expect(await account.signIn('Google', openFakeWindow)).toBe(true)
    expect(sessions).toEqual(['entry visit-1', 'tokens visit-1', 'entry visit-2', 'tokens visit-2'])
    expect(identified).toEqual([
      ['visit-1', 500],
      ['visit-2', 500],
    ])
  })

  test('tokens that are refused for another reason show the error popup', async () => {
    const { account, api, toasts } = visitor({
      readStart: () => startOf({ isSignedIn: false }),
      readSession: () => ({ cookieValue: 'visit-1#existing' }),
      setTokens: () => Promise.reject(new AppError('forbidden')),
    })
    await account.start()
    expect(await account.signIn('Google', openFakeWindow)).toBe(false)
    expect(toasts.failure.value?.code).toBe('forbidden')
    expect(api.made.filter((name) => name === 'setTokens')).toHaveLength(1)
  })

  test('an entry that fails twice stops the sign-in with the error popup', async () => {
    const { account, api, toasts } = visitor({
      readStart: firstVisit,
      readIp: never,
      createSession: () => Promise.reject(new AppError('timeout')),
    })
    await account.start()
    expect(await account.signIn('Google', openFakeWindow)).toBe(false)
    expect(toasts.failure.value).toEqual({ kind: 'http', code: 'timeout' })
    expect(api.made.filter((name) => name === 'createSession')).toHaveLength(2)
    expect(api.made).not.toContain('setTokens')
    expect(account.signingIn.value).toBe(false)
  })

  test('what it has answered is gone after a logout', async () => {
    const { account } = visitor({ readStart: () => startOf() })
    await account.start()
    account.logout()
    expect(account.takeFirst('lobby')).toBeNull()
  })

  test('what it has answered is gone when another user signs in', async () => {
    const { account } = visitor({ readStart: () => startOf() })
    await account.start()
    expect(await account.signIn('Google', openFakeWindow)).toBe(true)
    expect(account.takeFirst('lobby')).toBeNull()
  })
})

describe('signing in', () => {
  test('sets tokens, sends the names, stores the picture', async () => {
    const { account, api, stored } = visitor()
    expect(await account.signIn('Google', openFakeWindow)).toBe(true)
    expect(api.made).toEqual(['setTokens', 'addOauthUser'])
    expect(account.email.value).toBe('ada@example.org')
    expect(stored.get('profilePicture')).toBe(picture)
    expect(account.signingIn.value).toBe(false)
  })

  test('starts welcome from the profile of a returning user', async () => {
    const profile = { nickName: 'Ada', gender: 'girl', dateOfBirth: '1990-12-10' } as const
    const { account } = visitor({ addOauthUser: () => ({ message: 'Valid', profile }) })
    await account.signIn('Google', openFakeWindow)
    expect(account.profile.value).toEqual(profile)
  })

  test.each([
    ['popup-blocked', 'toasts.popup-blocked', {}],
    ['sign-in-cancelled', 'toasts.sign-in-cancelled', {}],
    ['sign-in-unreachable', 'toasts.sign-in-unreachable', { provider: 'Google' }],
    ['unknown', 'toasts.sign-in-failed', { provider: 'Google', reason: 'it broke' }],
  ] as const)('%s stops the spinner and shows a popup', async (code, text, values) => {
    const { account, api, toasts } = visitor({}, () => Promise.reject(new AppError(code, 'it broke')))
    expect(await account.signIn('Google', openFakeWindow)).toBe(false)
    expect(toasts.popup.value).toMatchObject({ text, values })
    expect([toasts.failure.value, account.signingIn.value, api.made]).toEqual([null, false, []])
  })

  test.each(['', 'NA'])('an email address of %j is an error', async (emailAddress) => {
    const { account, api, toasts } = visitor({}, async () => ({ ...ada, emailAddress }))
    expect(await account.signIn('Google', openFakeWindow)).toBe(false)
    expect(toasts.failure.value?.code).toBe('email-missing')
    expect(api.made).toEqual([])
  })

  test('whose new login is refused at once says so: the page stays where it is', async () => {
    const { account, toasts } = visitor({ addOauthUser: () => Promise.reject(new AppError('refresh-failed')) })
    expect(await account.signIn('Google', openFakeWindow)).toBe(false)
    expect(toasts.popup.value?.text).toBe('toasts.sign-in-lost')
  })

  test('a token response that is not Valid shows the error popup', async () => {
    const { account, toasts } = visitor({ setTokens: () => ({ message: 'No' }) })
    expect(await account.signIn('Google', openFakeWindow)).toBe(false)
    expect(toasts.failure.value?.code).toBe('invalid-response')
  })

  test('a provider without configuration has no button', async () => {
    const { account } = visitor()
    expect([account.offers('Google'), account.offers('Facebook')]).toEqual([true, false])
    expect(await account.signIn('Facebook', openFakeWindow)).toBe(false)
  })
})

describe('the profile', () => {
  const input = { nickName: 'Ada', gender: 'girl', dateOfBirth: '1990-12-10' } as const

  test('is sent with the picture, then its cookie is set', async () => {
    const sent: unknown[] = []
    const { account, visit } = visitor({
      addProfile: (form: EndpointInput<'addProfile'>) => {
        sent.push(form)
        return { message: 'Valid' }
      },
      setProfileCookie: (cookie) => {
        sent.push(cookie)
        return { message: 'Valid' }
      },
    })
    await account.signIn('Google', openFakeWindow)
    expect(await account.saveProfile(input)).toBe(true)
    expect(sent).toEqual([
      {
        EmailAddress: 'ada@example.org',
        NickName: 'Ada',
        Gender: 'girl',
        DOB: '1990-12-10',
        ConsentAgreed: 'true',
        file: { blob: picture, fileName: 'profile.png' },
      },
      { CookieValue: 'ada%40example.org#Ada#true' },
    ])
    expect([account.nickName.value, visit.flags.value.welcomePageLoaded]).toEqual(['Ada', true])
  })

  test('without an email address is not sent', async () => {
    const { account, api, toasts } = visitor()
    expect(await account.saveProfile(input)).toBe(false)
    expect(toasts.failure.value?.code).toBe('email-missing')
    expect(api.made).toEqual([])
  })

  test.each(['addProfile', 'setProfileCookie'] as const)(
    'of a user who logs out in another tab during %s opens nothing and shows no error',
    async (during) => {
      for (const settle of ['resolve', 'reject'] as const) {
        const answer = Promise.withResolvers<{ message: string }>()
        const { account, api, toasts, visit } = visitor({ [during]: () => answer.promise })
        await account.signIn('Google', openFakeWindow)
        const saved = account.saveProfile(input)
        await waitFor(() => expect(api.made).toContain(during))
        account.loginEnded()
        if (settle === 'resolve') answer.resolve({ message: 'Valid' })
        else answer.reject(new AppError('login-required'))
        expect(await saved).toBe(false)
        expect([toasts.failure.value, account.profile.value, account.nickName.value]).toEqual([null, null, ''])
        expect(visit.flags.value.welcomePageLoaded).toBe(false)
      }
    },
  )

  test('whose cookie fails does not open the dashboard', async () => {
    const { account, toasts, visit } = visitor({ setProfileCookie: () => Promise.reject(new AppError('timeout')) })
    await account.signIn('Google', openFakeWindow)
    expect(await account.saveProfile(input)).toBe(false)
    expect(toasts.failure.value).toEqual({ kind: 'http', code: 'timeout' })
    expect(visit.flags.value.welcomePageLoaded).toBe(false)
  })
})

describe('a picture that the user chose', () => {
  const known = { nickName: 'Ada', gender: 'girl', dateOfBirth: '1990-12-10' } as const
  const signInWith = (chosen: string | null) =>
    visitor({ addOauthUser: () => ({ message: 'Valid', profile: { ...known, picture: chosen } }) })

  test("takes the place of the provider's at a later sign-in", async () => {
    const { account, stored } = signInWith(btoa('WebP'))
    await account.signIn('Google', openFakeWindow)
    const kept = stored.get('profilePicture')
    expect(kept instanceof Blob && [kept.type, await kept.text()]).toEqual(['image/webp', 'WebP'])
    expect(account.picture.value).toMatch(/^blob:/)
  })

  test('and removed is not sent again', async () => {
    const files: unknown[] = []
    const { account } = visitor({
      addOauthUser: () => ({ message: 'Valid', profile: { ...known, picture: null } }),
      addProfile: ({ file }) => {
        files.push(file)
        return { message: 'Valid' }
      },
    })
    await account.signIn('Google', openFakeWindow)
    expect(account.picture.value).toBeNull()
    await account.saveProfile(known)
    expect(files).toEqual([undefined])
  })

  test('is shown and kept in this browser with the nickname', async () => {
    const { account, stored } = visitor()
    await account.takeProfile({ nickName: 'Grace', picture })
    expect([account.nickName.value, stored.get('profilePicture')]).toEqual(['Grace', picture])
    await account.takeProfile({ nickName: 'Grace', picture: null })
    expect([account.picture.value, stored.get('profilePicture')]).toEqual([null, ''])
  })
})
