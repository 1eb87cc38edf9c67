import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Provider } from '#protocol/fields.ts'
import { createFacebookIdentity } from '../../../src/account/io/facebook-identity.ts'
import { createGoogleIdentity } from '../../../src/account/io/google-identity.ts'
import { createDevelopmentIdentity } from '../../../src/account/io/identity-providers.ts'
import { lendWindow } from '../../../src/account/io/provider-sdk.ts'
import { openSignInWindow } from '../../../src/account/sign-in/sign-in-window.ts'
import { fakeSignInWindow } from '../../support/fakes/fake-sign-in-window.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the development sign-in', () => {
  const popups: Window[] = []
  afterEach(() => {
    for (const popup of popups.splice(0)) popup.close()
  })

  /** Signs in with a real window, in which `script` runs in place of the server's page. */
  async function signIn(source: Provider, script: string) {
    const popup = await openSignInWindow('Signing in...')
    if (!popup) throw new Error('The browser has blocked the window')
    popups.push(popup.window)
    const signedIn = createDevelopmentIdentity(source).signIn(popup)
    // A message counts only while the page that posted it is open: one of the page before it would be lost.
    await expect
      .poll(() => [popup.window.location.pathname, popup.window.document.readyState])
      .toEqual(['/dev-identity', 'complete'])
    const element = popup.window.document.createElement('script')
    element.textContent = script
    popup.window.document.body.append(element)
    return signedIn
  }
  const post = (message: unknown) => `opener.postMessage(${JSON.stringify(message)}, '*')`
  const ada = { accessToken: 't', email: 'ada@example.org', firstName: 'Ada', lastName: '', pictureUrl: '' }

  test('takes the popup’s message, and closes it', async () => {
    const message = { type: 'development-identity', identity: ada }
    const nonsense = post({ type: 'development-identity', identity: { email: 7 } })
    expect(await signIn('Google', `${nonsense};${post(message)}`)).toEqual({
      source: 'Google',
      accessToken: 't',
      emailAddress: 'ada@example.org',
      firstName: 'Ada',
      lastName: 'NA',
      profilePictureUrl: '',
    })
    expect(popups[0]?.closed).toBe(true)
  })

  test('ignores messages of other windows', async () => {
    window.postMessage({ type: 'development-identity', identity: { ...ada, email: 'eve@example.org' } }, '*')
    const signedIn = signIn('Facebook', post({ type: 'development-identity', identity: ada }))
    expect(await signedIn).toMatchObject({ source: 'Facebook', emailAddress: 'ada@example.org' })
  })

  test('is cancelled by its button, or by closing the popup', async () => {
    const byButton = signIn('Google', post({ type: 'development-identity', identity: null }))
    await expect(byButton).rejects.toMatchObject({ code: 'sign-in-cancelled' })
    await expect(signIn('Google', 'close()')).rejects.toMatchObject({ code: 'sign-in-cancelled' })
  })

  test('leaves no timer and no listener', async () => {
    const set = vi.spyOn(globalThis, 'setInterval')
    const clear = vi.spyOn(globalThis, 'clearInterval')
    const added = vi.spyOn(window, 'addEventListener')
    const removed = vi.spyOn(window, 'removeEventListener')
    await signIn('Google', post({ type: 'development-identity', identity: ada }))
    const poll = set.mock.results[set.mock.calls.findIndex(([, ms]) => ms === 500)]
    expect(clear.mock.calls).toContainEqual([poll?.value])
    const listener = added.mock.calls.find(([type]) => type === 'message')?.[1]
    expect(removed.mock.calls).toContainEqual(['message', listener])
    for (const spy of [set, clear, added, removed]) spy.mockRestore()
  })
})

describe('a window of a sign-in', () => {
  async function opened() {
    const popup = await openSignInWindow('Signing in...')
    if (!popup) throw new Error('The browser has blocked the window')
    onTestFinished(() => popup.close())
    return popup
  }

  test('says what it waits for, and stays as long as the work goes on', async () => {
    const popup = await opened()
    expect(popup.window.document.body.textContent).toBe('Signing in...')
    expect(popup.window.document.title).toBe('Signing in...')
    expect(await popup.whileOpen(Promise.resolve('loaded'))).toBe('loaded')
    expect(popup.window.closed).toBe(false)
  })

  test('that the user closes cancels what goes on', async () => {
    const popup = await opened()
    const work = popup.whileOpen(new Promise(() => {}))
    popup.window.close()
    await expect(work).rejects.toMatchObject({ code: 'sign-in-cancelled' })
  })

  test('is the one that an SDK opens, by the name that the SDK gives it', async () => {
    const { window: popup } = await opened()
    const { open } = window
    const windows: (Window | null)[] = []
    const takeBack = lendWindow(popup, () => {
      windows.push(window.open('about:blank#page', 'of-the-sdk', 'popup'))
    })
    expect(windows).toEqual([popup])
    expect(popup.name).toBe('of-the-sdk')
    await expect.poll(() => popup.location.href).toBe('about:blank#page')
    expect(window.open).toBe(open)
    takeBack()
    expect(window.open).toBe(open)
  })

  test('is not lent any more after an SDK that has not opened it', async () => {
    const { window: popup } = await opened()
    const { open } = window
    const takeBack = lendWindow(popup, () => {})
    expect(window.open).not.toBe(open)
    takeBack()
    expect(window.open).toBe(open)
    expect(() =>
      lendWindow(popup, () => {
        throw new TypeError('The SDK is broken')
      }),
    ).toThrow('The SDK is broken')
    expect(window.open).toBe(open)
  })
})

describe('Google', () => {
  type Options = {
    callback: (response: unknown) => void
    error_callback: (error: unknown) => void
    scope: string
    client_id: string
  }

  function google(respond: (options: Options) => void) {
    const requested: Options[] = []
    vi.stubGlobal('google', {
      accounts: {
        oauth2: {
          initTokenClient: (options: Options) => {
            requested.push(options)
            return { requestAccessToken: () => respond(options) }
          },
        },
      },
    })
    return requested
  }
  const granted = ({ callback }: Options) => callback({ access_token: 'token' })
  const userInfo = (body: unknown, status = 200) =>
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => Response.json(body, { status })),
    )

  test('returns the token and its user', async () => {
    const requested = google(granted)
    userInfo({ email: 'ada@example.org', name: 'Ada King Lovelace', picture: 'https://example.org/ada.png' })
    expect(await createGoogleIdentity('client-1').signIn(fakeSignInWindow())).toEqual({
      source: 'Google',
      accessToken: 'token',
      emailAddress: 'ada@example.org',
      firstName: 'Ada',
      lastName: 'King Lovelace',
      profilePictureUrl: 'https://example.org/ada.png',
    })
    expect(requested[0]).toMatchObject({ client_id: 'client-1', scope: expect.stringContaining('email') })
    expect(vi.mocked(fetch).mock.calls[0]).toMatchObject([
      'https://www.googleapis.com/oauth2/v3/userinfo',
      { headers: { Authorization: 'Bearer token' } },
    ])
  })

  test('returns NA for missing fields, and no picture', async () => {
    google(granted)
    userInfo({ name: 'Ada' })
    expect(await createGoogleIdentity('client-1').signIn(fakeSignInWindow())).toMatchObject({
      emailAddress: 'NA',
      firstName: 'Ada',
      lastName: 'NA',
      profilePictureUrl: '',
    })
    userInfo({})
    expect(await createGoogleIdentity('client-1').signIn(fakeSignInWindow())).toMatchObject({
      firstName: 'NA',
      lastName: 'NA',
    })
  })

  test.each([
    ['popup_failed_to_open', 'popup-blocked'],
    ['popup_closed', 'sign-in-cancelled'],
    ['unknown', 'unknown'],
  ])('whose popup ends with %s rejects with %s', async (type, code) => {
    google(({ error_callback }) => error_callback({ type }))
    await expect(createGoogleIdentity('client-1').signIn(fakeSignInWindow())).rejects.toMatchObject({ code })
  })

  test.each([
    [{ error: 'access_denied' }, 'sign-in-cancelled'],
    [{ error: 'invalid_scope' }, 'unknown'],
    [{}, 'unknown'],
    [null, 'unknown'],
  ])('that responds with %o rejects with %s', async (response, code) => {
    google(({ callback }) => callback(response))
    await expect(createGoogleIdentity('client-1').signIn(fakeSignInWindow())).rejects.toMatchObject({ code })
  })

  test('that cannot be reached is named, and one that rejects its own token is an error', async () => {
    google(granted)
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(createGoogleIdentity('client-1').signIn(fakeSignInWindow())).rejects.toMatchObject({
      code: 'sign-in-unreachable',
    })
    userInfo({}, 401)
    await expect(createGoogleIdentity('client-1').signIn(fakeSignInWindow())).rejects.toMatchObject({ code: 'unknown' })
    userInfo(null)
    await expect(createGoogleIdentity('client-1').signIn(fakeSignInWindow())).rejects.toMatchObject({ code: 'unknown' })
  })

  test('whose script cannot be loaded is named, and leaves no script element', async () => {
    await expect(createGoogleIdentity('client-1').signIn(fakeSignInWindow())).rejects.toMatchObject({
      code: 'sign-in-unreachable',
    })
    expect(document.querySelector('script[src*="accounts.google.com"]')).toBeNull()
  })
})

describe('Facebook', () => {
  function facebook(login: unknown, user: unknown) {
    const sdk = {
      init: vi.fn(),
      login: vi.fn((callback: (response: unknown) => void, _options: { scope: string }) => callback(login)),
      api: vi.fn((_path: string, _parameters: object, callback: (response: unknown) => void) => callback(user)),
    }
    vi.stubGlobal('FB', sdk)
    return sdk
  }
  const granted = { status: 'connected', authResponse: { accessToken: 'token', userID: '1' } }

  test('returns the token and its user, and starts its SDK once', async () => {
    const sdk = facebook(granted, {
      email: 'ada@example.org',
      first_name: 'Ada',
      last_name: 'Lovelace',
      picture: { data: { url: 'https://example.org/ada.png' } },
    })
    const provider = createFacebookIdentity('app-1')
    const ada = {
      source: 'Facebook',
      accessToken: 'token',
      emailAddress: 'ada@example.org',
      firstName: 'Ada',
      lastName: 'Lovelace',
      profilePictureUrl: 'https://example.org/ada.png',
    }
    expect(await provider.signIn(fakeSignInWindow())).toEqual(ada)
    expect(await provider.signIn(fakeSignInWindow())).toEqual(ada)
    expect(sdk.init.mock.calls).toEqual([[expect.objectContaining({ appId: 'app-1', version: 'v23.0' })]])
    expect(sdk.login.mock.calls[0]?.[1]).toEqual({ scope: 'public_profile,email', auth_type: 'rerequest' })
  })

  test('returns NA for a missing name and an empty string for a missing email address', async () => {
    facebook(granted, {})
    expect(await createFacebookIdentity('app-1').signIn(fakeSignInWindow())).toMatchObject({
      emailAddress: '',
      firstName: 'NA',
      lastName: 'NA',
      profilePictureUrl: '',
    })
  })

  test.each([{ status: 'unknown', authResponse: null }, {}, undefined])(
    'whose dialog is closed (%o) cancels',
    async (login) => {
      facebook(login, {})
      await expect(createFacebookIdentity('app-1').signIn(fakeSignInWindow())).rejects.toMatchObject({
        code: 'sign-in-cancelled',
      })
    },
  )

  test('that returns no user is an error', async () => {
    facebook(granted, { error: { message: 'Invalid token' } })
    await expect(createFacebookIdentity('app-1').signIn(fakeSignInWindow())).rejects.toMatchObject({ code: 'unknown' })
    facebook(granted, undefined)
    await expect(createFacebookIdentity('app-1').signIn(fakeSignInWindow())).rejects.toMatchObject({ code: 'unknown' })
  })
})
