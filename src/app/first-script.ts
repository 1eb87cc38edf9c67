import { EARLY_WORKER } from '#workers/network/contract.ts'
import { leaveEarlyWorker } from '../platform/io/early-worker.ts'
import { isAndroidBrowser } from '../ui/is-android-browser.ts'
import { guardedPaths } from './guards.ts'

/**
 * The script inside the page: starts the network worker, which sends the request of the start, before the app is
 * loaded. Built for itself by scripts/page-scripts.ts.
 */

/** Path of the worker's script; the build inserts it. */
declare const NETWORK_WORKER: string

type PolicyFactory = {
  createPolicy(
    name: 'first-script',
    rules: { createScriptURL(): string },
  ): { createScriptURL(address: string): string | URL }
}
const { trustedTypes }: { trustedTypes?: PolicyFactory } = globalThis as object

// With a service worker the font is loaded from its cache.
if (navigator.serviceWorker?.controller != null) document.documentElement.dataset.displayFont = ''

/** True at an address that leads to the splash screen. A browser on Android first offers the Android app there. */
const startsNow = ['/', ...guardedPaths].includes(location.pathname) && !isAndroidBrowser()
// Where the browser lacks something, browser-check.ts tells the user, and no app is started.
if (startsNow && !document.documentElement.dataset.lacks) {
  // A separate Trusted Types policy that allows only this worker's script. The app's policy is not loaded yet.
  const policy = trustedTypes?.createPolicy('first-script', { createScriptURL: () => NETWORK_WORKER })
  const address = policy?.createScriptURL('') ?? NETWORK_WORKER
  leaveEarlyWorker(new Worker(address, { type: 'module', name: EARLY_WORKER }))
}
