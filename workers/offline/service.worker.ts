import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { APPLY_UPDATE } from './contract.ts'

/**
 * Caches the shell, its code and the faces for offline use. It does not handle API requests: no route here matches them.
 */

declare const self: ServiceWorkerGlobalScope
/** Replaced by the build: every file that is needed to start, with a hash unless the file name has one. */
declare const PRECACHED: { url: string; revision: string | null }[]

const SHELL = '/index.html'
/** The cached shell is used if the page has not arrived from the network by then. */
const PAGE_TIMEOUT_MS = 10_000
const NO_PAGES = [/^\/api\//, /^\/chathub/, /^\/dev-identity/]

/** Network first, so that a new version shows at once; falls back to the cached shell. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) })
  } catch {
    return (await matchPrecache(SHELL)) ?? Response.error()
  }
}

registerRoute(new NavigationRoute(({ request }) => openPage(request), { denylist: NO_PAGES }))
// Without these two options '/' would be served from the cache even when online.
precacheAndRoute(PRECACHED, { directoryIndex: '', cleanURLs: false })
cleanupOutdatedCaches()
registerRoute(({ url }) => url.pathname.startsWith('/faces/'), new CacheFirst({ cacheName: 'faces' }))

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('message', ({ data }) => {
  if (data === APPLY_UPDATE) void self.skipWaiting()
})
