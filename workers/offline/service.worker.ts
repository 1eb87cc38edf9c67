import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { API_BASE, REQUESTED_WITH, START_PATH } from '#protocol/constants.ts'
import { APPLY_UPDATE, CONFIG_CHANGED, REFRESH_PAGE } from './contract.ts'
import { createStartAnswer } from './start-answer.ts'
import { createStoredPage, LANDING_PAGE } from './stored-page.ts'

/**
 * Caches the pages, their code and the faces: the landing page opens without the network, the other pages if the network fails. Of the API
 * requests, it handles only the first of a visit to the stored landing page: it sends that request before the page has a worker for it.
 */

declare const self: ServiceWorkerGlobalScope
/** Replaced by the build: every file that is needed to start, with a hash unless the file's name contains a hash. */
declare const PRECACHED: { url: string; revision: string | null }[]
/** Replaced by the build: differs between two lists of files. */
declare const VERSION: string

const SHELL = '/index.html'
/** The cached shell is used if the page has not arrived from the network after this time. */
const PAGE_TIMEOUT_MS = 10_000
const NO_PAGES = [/^\/api\//, /^\/chathub/, /^\/dev-identity/]

const PAGE_CACHES = 'page-'
const pageCache = `${PAGE_CACHES}${VERSION}`
// Used once, because the build replaces each `PRECACHED` by the whole list.
const precached = PRECACHED
const cachedPaths = new Set(precached.map(({ url }) => url))
const storedPage = createStoredPage(
  () => caches.open(pageCache),
  (path) => cachedPaths.has(path),
  () => fetch(LANDING_PAGE, { cache: 'no-cache' }),
)

/** Network first, so that a new version shows at once; falls back to the cached shell. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) })
  } catch {
    return (await matchPrecache(SHELL)) ?? Response.error()
  }
}

const START = new URL(`${API_BASE}/${START_PATH}`, self.location.origin).href
const startAnswer = createStartAnswer(
  () => fetch(START, { credentials: 'include', headers: { [REQUESTED_WITH.name]: REQUESTED_WITH.value } }),
  () => performance.now(),
)

/** Responds with the stored page. The app refreshes it later, when the user can act. */
async function openLandingPage(request: Request, event: ExtendableEvent): Promise<Response> {
  event.waitUntil(startAnswer.askAhead())
  return (await storedPage.match().catch(() => undefined)) ?? openPage(request)
}

const isLandingPage = ({ pathname, search }: URL) => pathname === LANDING_PAGE && search === ''

registerRoute(
  new NavigationRoute(
    ({ request, url, event }) => (isLandingPage(url) ? openLandingPage(request, event) : openPage(request)),
    { denylist: NO_PAGES },
  ),
)
// If the request that was sent ahead failed, the page's own request is sent: its failure tells whether the network is lost.
registerRoute(
  ({ url, request }) => url.href === START && request.method === 'GET' && startAnswer.isThere(),
  ({ request }) => startAnswer.take()?.catch(() => fetch(request)) ?? fetch(request),
)
// Without these two options '/' would be served from the cache even when online.
precacheAndRoute(precached, { directoryIndex: '', cleanURLs: false })
cleanupOutdatedCaches()
const faces = new CacheFirst({ cacheName: 'faces' })
// A page that is left cancels its pictures. Firefox would write a rejection of the worker, or a `Response.error()`, to
// the console. Workbox's plugins are not called, since what Firefox throws is no Error.
registerRoute(
  ({ url }) => url.pathname.startsWith('/faces/'),
  (options) => faces.handle(options).catch(() => new Response(null, { status: 504 })),
)

async function deleteOtherPages(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PAGE_CACHES) && name !== pageCache)
  await Promise.all(others.map((name) => caches.delete(name)))
}

async function refreshFor(source: ExtendableMessageEvent['source']): Promise<void> {
  if (await storedPage.refresh()) source?.postMessage(CONFIG_CHANGED)
}

/** Brings the tab that searches or talks to the front; a phone's browser lets only the service worker show notifications. */
async function openCall(): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const isCall = ({ url }: WindowClient) => ['/buzzing', '/chat'].includes(new URL(url).pathname)
  await (windows.find(isCall) ?? windows[0])?.focus()
}

// A page that cannot be stored now is stored by a later refresh.
self.addEventListener('install', (event) => event.waitUntil(storedPage.refresh().catch(() => {})))
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), deleteOtherPages()])))
self.addEventListener('message', (event) => {
  if (event.data === APPLY_UPDATE) void self.skipWaiting()
  if (event.data === REFRESH_PAGE) event.waitUntil(refreshFor(event.source).catch(() => {}))
})
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openCall())
})
