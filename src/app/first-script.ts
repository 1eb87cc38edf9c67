import { EARLY_WORKER } from '#workers/network/contract.ts'
import { leaveEarlyWorker } from '../platform/io/early-worker.ts'
import { isAndroidBrowser } from '../ui/is-android-browser.ts'
import { guardedPaths } from './guards.ts'

/**
 * The script inside the page: starts the network worker, which sends the request of the start, before the app is loaded. Built for itself
 * by scripts/page-scripts.ts.
 */

/** Path of the worker's script; replaced by the build. */
declare const NETWORK_WORKER: string

type PolicyFactory = {
  createPolicy(
    name: 'first-script',
    rules: { createScriptURL(): string },
  ): { createScriptURL(address: string): string | URL }
}
const { trustedTypes }: { trustedTypes?: PolicyFactory } = globalThis as object

// The service worker has the font's file.
if (navigator.serviceWorker?.controller != null) document.documentElement.dataset.displayFont = ''

/** Every address that leads to the splash screen; there the app offers the Android app before it starts. */
const startsNow = ['/', ...guardedPaths].includes(location.pathname) && !isAndroidBrowser()
// Where the browser lacks something, the page tells it and no app is started: browser-check.ts.
if (startsNow && !document.documentElement.dataset.lacks) {
  // A policy of its own, which can name nothing but this script: the app's policy comes with the app.
  const policy = trustedTypes?.createPolicy('first-script', { createScriptURL: () => NETWORK_WORKER })
  const address = policy?.createScriptURL('') ?? NETWORK_WORKER
  leaveEarlyWorker(new Worker(address, { type: 'module', name: EARLY_WORKER }))
}
