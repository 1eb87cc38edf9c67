import { EARLY_WORKER } from '#workers/network/contract.ts'
import { showDisplayFont } from '../parts/display-font.ts'
import { isAndroidBrowser } from '../parts/is-android-browser.ts'
import { leaveEarlyWorker } from '../transport/early-worker.ts'
import { guardedPaths } from './guards.ts'

/**
 * The script inside the page: starts the network worker, which sends the request of the start, and then the app of a page that leaves
 * it to this script. Built for itself by scripts/first-script.ts.
 */

/** Paths of the worker's script and of the app's; replaced by the build. */
declare const NETWORK_WORKER: string
declare const APP: string

/** Time after which the app starts although the worker has not. */
const WORKER_MAX_MS = 400

type PolicyFactory = {
  createPolicy(
    name: 'first-script',
    rules: { createScriptURL(): string },
  ): { createScriptURL(address: string): string | URL }
}
const { trustedTypes }: { trustedTypes?: PolicyFactory } = globalThis as object

const isCached = navigator.serviceWorker?.controller != null
// The service worker has the font's file.
if (isCached) showDisplayFont()

let isStarted = false

/** Needs the whole page, which has hardly more than its head. */
function startApp(): void {
  if (isStarted) return
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', startApp)
    return
  }
  isStarted = true
  const ahead = document.querySelector<HTMLTemplateElement>('template[data-ahead]')
  if (!ahead) return
  document.head.append(ahead.content)
  import(APP).catch(reportError)
}

/** Every address that leads to the splash screen; there the app offers the Android app before it starts. */
const startsNow = ['/', ...guardedPaths].includes(location.pathname) && !isAndroidBrowser()
if (startsNow) {
  // A policy of its own, which can name nothing but this script: the app's policy comes with the app.
  const policy = trustedTypes?.createPolicy('first-script', { createScriptURL: () => NETWORK_WORKER })
  const address = policy?.createScriptURL('') ?? NETWORK_WORKER
  const worker = new Worker(address, { type: 'module', name: EARLY_WORKER })
  leaveEarlyWorker(worker)
  if (isCached) {
    // A worker starts on the page's thread, which the app, read from the cache, would keep busy before.
    for (const event of ['message', 'error']) worker.addEventListener(event, startApp, { once: true })
    setTimeout(startApp, WORKER_MAX_MS)
  }
}
if (!isCached || !startsNow) startApp()
