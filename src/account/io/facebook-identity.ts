import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { IDENTITY_SDKS } from '#protocol/identity-sdks.ts'
import { tryParse } from '#protocol/parse.ts'
import { loadOnce } from '../../platform/load-once.ts'
import type { IdentityProvider } from '../ports.ts'
import { lendWindow, loadScript, orNotAvailable, timed } from './provider-sdk.ts'

const SDK_VERSION = 'v23.0'
/** `rerequest`: Facebook asks again for an e-mail address that the user refused to give at an earlier sign-in. */
const LOGIN = { scope: 'public_profile,email', auth_type: 'rerequest' }
const USER_FIELDS = 'email,first_name,last_name,picture.width(512).height(512)'

/** The part of Facebook's SDK that is used here. */
type FacebookSdk = {
  init(options: { appId: string; version: string; xfbml: boolean }): void
  login(callback: (response: unknown) => void, options: { scope: string; auth_type: string }): void
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
export function createFacebookIdentity(appId: string): IdentityProvider<Window> {
  const sdk = loadOnce(() => startSdk(appId))
  return {
    async signIn(popup) {
      const facebook = await timed('script', popup.whileOpen(sdk.load()))
      const accessToken = await logIn(facebook, popup.window)
      const user = await timed('user info', readUser(facebook, accessToken))
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

/** Resolves with the access token. If its window was closed, the SDK calls back without a login. */
function logIn(facebook: FacebookSdk, popup: Window): Promise<string> {
  let takeBack = () => {}
  const token = new Promise<string>((resolve, reject) => {
    takeBack = lendWindow(popup, () =>
      facebook.login((response) => {
        const parsed = tryParse(loginResponseSchema, response)
        const accessToken = parsed.success ? parsed.output.authResponse?.accessToken : undefined
        if (accessToken) resolve(accessToken)
        else reject(new AppError('sign-in-cancelled'))
      }, LOGIN),
    )
  })
  return token.finally(() => takeBack())
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
