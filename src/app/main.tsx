import './trusted-types.ts'
import '../ui/styles/tokens.css'
import '../ui/styles/base.css'
import { effect } from '@preact/signals-react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { isTracing, startTracing } from '#workers/trace.ts'
import { browserClock } from '../platform/io/browser-clock.ts'
import { whenIdle } from '../platform/io/later-tasks.ts'
import { pageConfig } from '../platform/io/page-config.ts'
import { followConsent } from '../platform/state/cookie-choice.ts'
import { languageOfVisit, nameLanguage } from '../platform/texts/language.ts'
import { offeredApp } from '../ui/is-android-browser.ts'
import { blockPictureSaving } from './block-picture-saving.ts'
import { createApp } from './create-app.ts'
import { AppRoutes } from './routes.tsx'
import { startBehindSplash } from './start-behind-splash.ts'
import { VisitorProvider } from './visitor-provider.tsx'

// browser-check.ts has told the user what is missing; a prerendered page stays as it is.
const { lacks } = document.documentElement.dataset
if (lacks) throw new Error(`Not started: ${lacks}`)

// For the browser's performance panel; see docs/profiling.md.
if (new URLSearchParams(location.search).has('trace')) startTracing()

/** Time after which `startTheRest` runs even if the user cannot act yet. */
const CANNOT_ACT_MAX_MS = 15_000

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
const language = languageOfVisit(root.hasChildNodes())
// A page stored by the service worker may be in another language than the user has chosen since.
const drawn = root.hasChildNodes() && document.documentElement.lang === language
const app = createApp(pageConfig, language)
const { toasts, pictureChoice, texts } = app.stores
if (isTracing()) import('../tools/tracks/tracks.ts').then(({ followPage }) => followPage(app.stores)).catch(reportError)
const isSplash = root.hasChildNodes() && location.pathname === '/' && offeredApp(pageConfig) === null
const started = isSplash
  ? startBehindSplash(app, browserClock, document.documentElement.dataset.next)
  : Promise.resolve(null)

// Makes a fault on purpose, see docs/profiling.md. A production build does not contain it.
if (import.meta.env.DEV || import.meta.env.MODE === 'profiling') {
  const fault = new URLSearchParams(location.search).get('fault')
  if (fault) import('../tools/faults/faults.ts').then(({ plantFault }) => plantFault(fault, app)).catch(reportError)
}

// For developers, see docs/profiling.md.
if (import.meta.env.DEV || import.meta.env.MODE === 'profiling' || pageConfig.profilePage) {
  if (new URLSearchParams(location.search).has('overlay'))
    import('../tools/overlay/overlay.ts').then(({ showOverlay }) => showOverlay(app.stores.texts)).catch(reportError)
}

/**
 * Resolves with true if the server's page begins with another script than this page. After a deployment the server no
 * longer has the other files of this page. Never rejects.
 */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  try {
    const response = await fetch('/', { cache: 'no-store' })
    return own !== null && response.ok && !(await response.text()).includes(new URL(own.src).pathname)
  } catch {
    // The browser is offline, which a toast says.
    return false
  }
}

// A file of the page could not be loaded.
addEventListener('vite:preloadError', () => void isOutdated().then((is) => is && toasts.tellOutdated()))
blockPictureSaving(document)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') app.hidden()
})

/** Starts what would delay a user who cannot act yet. Only a production build has a service worker. */
function startTheRest(): void {
  // Loads the font of headings, which have a font of the system with the same widths until then.
  document.documentElement.dataset.displayFont = ''
  if (pageConfig.profilePage)
    import('../tools/recorder/recorder.ts').then(({ startRecorder }) => startRecorder(app.pages)).catch(() => {})
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  import('./offline.ts').then(({ keepOffline }) => keepOffline(app.path, pictureChoice)).catch(() => {})
}

function begin(): void {
  stopWaiting()
  stopFollowing()
  whenIdle(startTheRest)
}
// The service worker replaces an old page even if that cannot start.
const stopWaiting = browserClock.after(CANNOT_ACT_MAX_MS, begin)
const stopFollowing = app.canAct.subscribe((can) => {
  if (can) begin()
})

effect(() => nameLanguage(texts.language.value))

/** Draws the app. `isDrawn`: the page already contains this screen as HTML. */
function draw(page: HTMLElement, isDrawn: boolean): void {
  const visit = (
    <VisitorProvider stores={app.stores}>
      <BrowserRouter>
        <AppRoutes app={app} />
      </BrowserRouter>
    </VisitorProvider>
  )
  // An error outside of the screens has no boundary that would report it.
  const options = { onUncaughtError: app.broken }
  if (isDrawn) hydrateRoot(page, visit, options)
  else createRoot(page, options).render(visit)
}

// No top-level `await`: a module with it cannot share a chunk with modules that others import.
Promise.all([texts.need('first'), started])
  .then(([, screen]) => {
    if (screen) history.replaceState(null, '', `/${screen}`)
    draw(root, drawn && !screen && !toasts.failure.peek())
    // After the first screen is drawn, because the first access to the browser's storage blocks.
    followConsent(app.allowOptional)
  })
  .catch(reportError)
