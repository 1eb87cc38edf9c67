import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { IDENTITY_SDKS } from '#protocol/identity-sdks.ts'
import { tryParse } from '#protocol/parse.ts'
import type { IdentityProvider } from '../domain/ports.ts'
import { orNotAvailable } from './identity-fields.ts'
import { loadScript } from './script-loader.ts'

const SDK_VERSION = 'v23.0'
const USER_FIELDS = 'email,first_name,last_name,picture.width(512).height(512)'

/** The used part of Facebook's SDK. */
type FacebookSdk = {
  init(options: { appId: string; version: string; xfbml: boolean }): void
  login(callback: (response: unknown) => void, options: { scope: string }): void
  api(path: string, parameters: { fields: string; access_token: string }, callback: (response: unknown) => void): void
}
type WithFacebook = typeof globalThis & { FB?: FacebookSdk }

const loginResponseSchema = v.object({ authResponse: v.nullish(v.object({ accessToken: v.string() })) })
const userSchema = v.object({
  email: v.nullish(v.string()),
  first_name: v.nullish(v.string()),
  last_name: v.nullish(v.string()),
  picture: v.nullish(v.object({ data: v.nullish(v.object({ url: v.nullish(v.string()) })) })),
  error: v.nullish(v.object({ message: v.string() })),
})

/** Signs in with Facebook; loads its SDK at the first sign-in. */
export function createFacebookIdentity(appId: string): IdentityProvider {
  let started: Promise<FacebookSdk> | null = null

  function sdk(): Promise<FacebookSdk> {
    started ??= startSdk(appId).catch((thrown: unknown) => {
      started = null
      throw thrown
    })
    return started
  }

  return {
    async signIn() {
      const facebook = await sdk()
      const accessToken = await logIn(facebook)
      const user = await readUser(facebook, accessToken)
      return {
        source: 'Facebook',
        accessToken,
        emailAddress: user.email ?? '',
        firstName: orNotAvailable(user.first_name),
        lastName: orNotAvailable(user.last_name),
        profilePictureUrl: user.picture?.data?.url ?? '',
      }
    },
  }
}

async function startSdk(appId: string): Promise<FacebookSdk> {
  const page: WithFacebook = globalThis
  if (!page.FB) await loadScript(IDENTITY_SDKS.facebook.script)
  if (!page.FB) throw new AppError('unknown', "Facebook's SDK did not start")
  page.FB.init({ appId, version: SDK_VERSION, xfbml: false })
  return page.FB
}

/** Resolves with the access token. The SDK calls back without a login if the dialog was closed, and never if the browser blocked it. */
function logIn(facebook: FacebookSdk): Promise<string> {
  return new Promise((resolve, reject) => {
    const isBlocked = watchPopup(() =>
      facebook.login(
        (response) => {
          const parsed = tryParse(loginResponseSchema, response)
          const token = parsed.success ? parsed.output.authResponse?.accessToken : undefined
          if (token) resolve(token)
          else reject(new AppError('sign-in-cancelled'))
        },
        { scope: 'public_profile,email' },
      ),
    )
    if (isBlocked) reject(new AppError('popup-blocked'))
  })
}

/** Calls `start` and returns true if it tried to open a popup and the browser blocked it. */
function watchPopup(start: () => void): boolean {
  const { open } = window
  let isBlocked = false
  window.open = (...args) => {
    const popup = open.apply(window, args)
    isBlocked = popup === null
    return popup
  }
  try {
    start()
  } finally {
    window.open = open
  }
  return isBlocked
}

function readUser(facebook: FacebookSdk, accessToken: string): Promise<v.InferOutput<typeof userSchema>> {
  return new Promise((resolve, reject) => {
    facebook.api('/me', { fields: USER_FIELDS, access_token: accessToken }, (response) => {
      const parsed = tryParse(userSchema, response)
      if (!parsed.success) reject(new AppError('unknown', 'Facebook described no user'))
      else if (parsed.output.error) reject(new AppError('unknown', parsed.output.error.message))
      else resolve(parsed.output)
    })
  })
}
