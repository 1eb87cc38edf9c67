import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { APPLY_UPDATE } from './contract.ts'

/**
 * Keeps the shell, its code and the faces for when there is no network. Answers of the API are none of its business: no
 * route here matches them.
 */

declare const self: ServiceWorkerGlobalScope
/** Written by the build: every file of it that the product needs to start, with a hash where the name has none. */
declare const PRECACHED: { url: string; revision: string | null }[]

const SHELL = '/index.html'
/** A network that has not brought the page by then is as good as none. */
const PAGE_TIMEOUT_MS = 10_000
const NO_PAGES = [/^\/api\//, /^\/chathub/, /^\/dev-identity/]

/** The page comes from the network, so that a new version is seen at once; the kept shell stands in for it. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) })
  } catch {
    return (await matchPrecache(SHELL)) ?? Response.error()
  }
}

registerRoute(new NavigationRoute(({ request }) => openPage(request), { denylist: NO_PAGES }))
// Without these two options '/' would be the kept shell even where there is a network.
precacheAndRoute(PRECACHED, { directoryIndex: '', cleanURLs: false })
cleanupOutdatedCaches()
registerRoute(({ url }) => url.pathname.startsWith('/faces/'), new CacheFirst({ cacheName: 'faces' }))

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('message', ({ data }) => {
  if (data === APPLY_UPDATE) void self.skipWaiting()
})
