import type { ReadonlySignal } from '@preact/signals-react'
import type { ComponentType } from 'react'
import type { Clock } from '../platform/clock.ts'
import { type Loadable, loadOnce } from '../platform/load-once.ts'
import type { Log } from '../platform/log.ts'
import type { Api } from '../platform/ports.ts'
import type { TextGroup } from '../platform/texts/catalogue.ts'
import type { TextStore } from '../platform/texts/texts.ts'
import { onOtherUser } from './login-watch.ts'

/** The text groups of each screen. */
export const textsOf = {
  signIn: ['frame', 'cookies', 'sign-in', 'toasts'],
  welcome: ['frame', 'welcome', 'toasts'],
  dashboard: ['frame', 'cookies', 'dashboard', 'cases', 'my-data', 'devices', 'toasts'],
  matching: ['matching', 'shared', 'devices', 'call', 'toasts'],
  call: ['frame', 'call', 'shared', 'devices', 'toasts'],
  about: ['frame', 'cookies', 'about'],
  terms: ['frame', 'cookies', 'terms'],
  privacy: ['frame', 'cookies', 'privacy'],
  dataDeletion: ['frame', 'cookies', 'data-deletion'],
  deletionStatus: ['frame', 'cookies', 'deletion-status'],
  transparency: ['frame', 'cookies', 'transparency'],
  serviceStatus: ['frame', 'cookies', 'service-status'],
  reportContent: ['frame', 'cookies', 'report-content'],
  profile: ['frame', 'cookies', 'profiling'],
  appVersion: [],
} as const satisfies Record<string, readonly TextGroup[]>

export type Pages = ReturnType<typeof createPages>

/** Returns a function that loads a screen together with its texts, once. */
function screenLoader(need: TextStore['need']) {
  return <Loaded>(name: keyof typeof textsOf, load: () => Promise<Loaded>): Loadable<Loaded> =>
    loadOnce(async () => {
      const [loaded] = await Promise.all([load(), need(...textsOf[name])])
      return loaded
    })
}

/** Every screen but the splash and the screens with a store of their own, each with its texts. `load` also preloads a screen. */
export function createPages(need: TextStore['need']) {
  const screen = screenLoader(need)

  /** Takes the export by its name: with a destructured import for each page the first script would be longer. */
  function page<Exported extends string>(
    name: keyof typeof textsOf,
    exported: Exported,
    load: () => Promise<Record<Exported, ComponentType>>,
  ) {
    return screen(name, async () => (await load())[exported])
  }

  return {
    signIn: page('signIn', 'SignInPage', () => import('../account/sign-in/sign-in-page.tsx')),
    welcome: page('welcome', 'WelcomePage', () => import('../account/welcome/welcome-page.tsx')),
    dashboard: page('dashboard', 'DashboardPage', () => import('../lobby/screens/dashboard-page.tsx')),
    matching: page('matching', 'MatchingPage', () => import('../call/search/matching-page.tsx')),
    call: page('call', 'CallPage', () => import('../call/screens/call-page.tsx')),
    about: page('about', 'AboutPage', () => import('../site/about/about-page.tsx')),
    terms: page('terms', 'TermsPage', () => import('../site/terms/terms-page.tsx')),
    privacy: page('privacy', 'PrivacyPage', () => import('../site/privacy/privacy-page.tsx')),
    dataDeletion: page(
      'dataDeletion',
      'DataDeletionPage',
      () => import('../site/data-deletion/data-deletion-page.tsx'),
    ),
    profile: page('profile', 'ReportPage', () => import('../tools/report/report-page.tsx')),
    appVersion: page('appVersion', 'AppVersionPage', () => import('../site/app-version/app-version-page.tsx')),
  }
}

type Ports = { need: TextStore['need']; api: Api; log: Log; clock: Clock; email: ReadonlySignal<string> }

/** Screens that are loaded with their own store. The store keeps its state while another screen is open. */
export function createStorePages({ need, api, log, clock, email }: Ports) {
  const screen = screenLoader(need)
  return {
    /** The form in which people without an account report content. */
    reportContent: screen('reportContent', async () => {
      const [{ ReportContentPage: Page }, { createContentNoticeStore }] = await Promise.all([
        import('../site/report-content/report-content-page.tsx'),
        import('../site/state/content-notice.ts'),
      ])
      const store = createContentNoticeStore({
        api,
        log,
        newKey: () => crypto.randomUUID(),
        // Loaded only if the server demands a proof, during a flood of notices.
        solve: async (...how) => (await import('../site/io/notice-proof.ts')).solveNoticeChallenge(...how),
      })
      onOtherUser(email, store.forget)
      return { Page, store }
    }),

    /** The page that says which parts of the service work. */
    serviceStatus: screen('serviceStatus', async () => {
      const [{ ServiceStatusPage: Page }, { createServiceStatusStore }, { pageAttention }] = await Promise.all([
        import('../site/service-status/service-status-page.tsx'),
        import('../site/state/service-status.ts'),
        import('../platform/io/page-wakes.ts'),
      ])
      return { Page, store: createServiceStatusStore({ api, log, clock, page: pageAttention }) }
    }),

    transparency: screen('transparency', async () => {
      const page = await import('../site/transparency/transparency-page.tsx')
      return { Page: page.TransparencyPage, store: page.createTransparencyStore(api, log) }
    }),

    deletionStatus: screen('deletionStatus', async () => {
      const page = await import('../site/deletion-status/deletion-status-page.tsx')
      return { Page: page.DeletionStatusPage, store: page.createDeletionStatusStore(api, log) }
    }),
  }
}
