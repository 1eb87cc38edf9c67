import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { IDENTITY_SDKS } from '#protocol/identity-sdks.ts'
import { tryParse } from '#protocol/parse.ts'
import type { IdentityProvider } from '../ports.ts'
import { lendWindow, loadScript, orNotAvailable, splitName, timed } from './provider-sdk.ts'

const USER_INFO_URL = 'https://www.googleapis.com/oauth2/v3/userinfo'
const USER_INFO_TIMEOUT_MS = 10_000

/** The part of Google Identity Services that is used here. */
type TokenClient = { requestAccessToken(): void }
type GoogleIdentityServices = {
  accounts: {
    oauth2: {
      initTokenClient(options: {
        client_id: string
        scope: string
        callback: (response: unknown) => void
        error_callback: (error: unknown) => void
      }): TokenClient
    }
  }
}
type WithGoogle = typeof globalThis & { google?: GoogleIdentityServices }

const tokenResponseSchema = v.object({ access_token: v.optional(v.string()), error: v.optional(v.string()) })
const popupErrorSchema = v.object({ type: v.string() })
const userInfoSchema = v.object({
  email: v.nullish(v.string()),
  name: v.nullish(v.string()),
  picture: v.nullish(v.string()),
})

/** Signs in with Google; loads its script at the first sign-in. */
export function createGoogleIdentity(clientId: string): IdentityProvider<Window> {
  return {
    async signIn(popup) {
      const google = await timed('script', popup.whileOpen(identityServices()))
      const accessToken = await requestToken(google, clientId, popup.window)
      const { email, name, picture } = await timed('user info', readUserInfo(accessToken))
      return {
        source: 'Google',
        accessToken,
        emailAddress: orNotAvailable(email),
        ...splitName(name),
        profilePictureUrl: picture ?? '',
      }
    },
  }
}

async function identityServices(): Promise<GoogleIdentityServices> {
  const page: WithGoogle = globalThis
  if (!page.google) await loadScript(IDENTITY_SDKS.google.script)
  if (!page.google) throw new AppError('unknown', 'Google Identity Services did not start')
  return page.google
}

function requestToken(google: GoogleIdentityServices, clientId: string, popup: Window): Promise<string> {
  let takeBack = () => {}
  const token = new Promise<string>((resolve, reject) => {
    const client = google.accounts.oauth2.initTokenClient({
      client_id: clientId,
      scope: 'openid email profile',
      callback: (response) => {
        const parsed = tryParse(tokenResponseSchema, response)
        if (parsed.success && parsed.output.access_token) resolve(parsed.output.access_token)
        else reject(refusal(parsed.success ? parsed.output.error : undefined))
      },
      error_callback: (error) => {
        const parsed = tryParse(popupErrorSchema, error)
        reject(refusal(parsed.success ? parsed.output.type : undefined))
      },
    })
    takeBack = lendWindow(popup, () => client.requestAccessToken())
  })
  return token.finally(() => takeBack())
}

function refusal(reason = 'unknown'): AppError {
  if (reason === 'popup_failed_to_open') return new AppError('popup-blocked')
  if (reason === 'popup_closed' || reason === 'access_denied') return new AppError('sign-in-cancelled')
  return new AppError('unknown', `Google refused the sign-in: ${reason}`)
}

async function readUserInfo(accessToken: string): Promise<v.InferOutput<typeof userInfoSchema>> {
  const response = await fetch(USER_INFO_URL, {
    headers: { Authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(USER_INFO_TIMEOUT_MS),
  }).catch(() => {
    throw new AppError('sign-in-unreachable', 'Google could not be reached')
  })
  if (!response.ok) throw new AppError('unknown', `Google responded with status ${response.status}`)
  const parsed = tryParse(userInfoSchema, await response.json().catch(() => null))
  if (!parsed.success) throw new AppError('unknown', 'Google described no user')
  return parsed.output
}
