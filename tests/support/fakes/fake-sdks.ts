import type { BrowserContext } from '@playwright/test'

/** How the provider's window closes. */
export type PopupEnd = 'granted' | 'closed' | 'denied' | 'refused'

const json = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' }
/** A user of a provider, by the names of both. */
type Person = { email: string; name: string; first_name: string; last_name: string; picture?: string }
const ada: Person = { email: 'ada@example.org', name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace' }

/** A popup that posts its end to its opener, like the providers' windows. The token is the user's e-mail address. */
const popup = (end: PopupEnd, { email: token }: Person) =>
  `<script>${end === 'closed' ? '' : `opener.postMessage(${JSON.stringify({ end, token })}, '*');`}close()</script>`

/** Opens a window and calls back with its end; null if the browser blocks it. */
const openWindow = `
function openWindow(url, done) {
  const opened = window.open(url, 'sign-in', 'popup,width=480,height=640')
  if (!opened) return done(null)
  let end = 'closed'
  let token = ''
  addEventListener('message', ({ source, data }) => { if (source === opened) ({ end, token } = data) })
  const poll = setInterval(() => {
    if (!opened.closed) return
    clearInterval(poll)
    done(end, token)
  }, 50)
}`

const google = `${openWindow}
window.google = { accounts: { oauth2: { initTokenClient: (options) => ({
  requestAccessToken() {
    if (options.client_id !== 'our-client' || !options.scope.includes('email')) throw new Error('not as configured')
    openWindow('https://accounts.google.com/o/oauth2/v2/auth', (end, token) => {
      if (end === null) options.error_callback({ type: 'popup_failed_to_open' })
      else if (end === 'closed') options.error_callback({ type: 'popup_closed' })
      else if (end === 'granted') options.callback({ access_token: token, token_type: 'Bearer' })
      else options.callback({ error: end === 'denied' ? 'access_denied' : 'invalid_scope' })
    })
  },
}) } } }`

/** Like Facebook's SDK, it never calls back if the window is blocked. */
const facebook = `${openWindow}
window.FB = {
  init({ appId, version }) {
    if (appId !== 'our-app' || version !== 'v23.0') throw new Error('not as configured')
  },
  login(callback, { scope }) {
    if (scope !== 'public_profile,email') throw new Error('wrong scope')
    openWindow('https://www.facebook.com/v23.0/dialog/oauth', (end, token) => {
      if (end === 'granted') callback({ status: 'connected', authResponse: { accessToken: token, userID: '7' } })
      else if (end !== null) callback({ status: 'unknown', authResponse: null })
    })
  },
  api(path, parameters, callback) {
    fetch('https://graph.facebook.com/v23.0' + path + '?' + new URLSearchParams(parameters))
      .then((response) => response.json())
      .then(callback)
  },
}`

/** Serves both providers to a browser. Resolves with the list of requested URLs, which grows. */
export async function serveSdks(context: BrowserContext, end: () => PopupEnd, person = () => ada): Promise<string[]> {
  const asked: string[] = []
  const serve = (address: string, contentType: string, body: () => string) =>
    context.route(address, (route) => {
      asked.push(route.request().url().split('?', 1)[0] ?? '')
      return route.fulfill({ contentType, body: body(), headers: json })
    })
  await serve('https://accounts.google.com/gsi/client', 'text/javascript', () => google)
  await serve('https://connect.facebook.net/en_US/sdk.js', 'text/javascript', () => facebook)
  await serve('https://accounts.google.com/o/**', 'text/html', () => popup(end(), person()))
  await serve('https://www.facebook.com/**', 'text/html', () => popup(end(), person()))
  await serve('https://www.googleapis.com/**', 'application/json', () => JSON.stringify(person()))
  await serve('https://graph.facebook.com/**', 'application/json', () => JSON.stringify(person()))
  return asked
}
