import { type Loadable, loadOnce } from '../platform/load-once.ts'
import type { TextGroup } from '../platform/texts/catalogue.ts'
import type { TextStore } from '../platform/texts/texts.ts'

/** The text groups of each screen; a screen that is not listed has none. */
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
} as const satisfies Record<string, readonly TextGroup[]>

export type Pages = ReturnType<typeof createPages>

/** Returns a function that loads a screen together with its texts, once. */
export function screenLoader(need: TextStore['need']) {
  return <Loaded>(name: keyof typeof textsOf, load: () => Promise<Loaded>): Loadable<Loaded> =>
    loadOnce(async () => {
      const [loaded] = await Promise.all([load(), need(...textsOf[name])])
      return loaded
    })
}

/** The screens, except the splash screen and those with their own store, with their texts. Loading preloads one. */
export function createPages(need: TextStore['need']) {
  const screen = screenLoader(need)
  return {
    signIn: screen('signIn', async () => (await import('../account/sign-in/sign-in-page.tsx')).SignInPage),
    welcome: screen('welcome', async () => (await import('../account/welcome/welcome-page.tsx')).WelcomePage),
    dashboard: screen('dashboard', async () => (await import('../lobby/screens/dashboard-page.tsx')).DashboardPage),
    matching: screen('matching', async () => (await import('../call/search/matching-page.tsx')).MatchingPage),
    call: screen('call', async () => (await import('../call/screens/call-page.tsx')).CallPage),
    about: screen('about', async () => (await import('../site/about/about-page.tsx')).AboutPage),
    terms: screen('terms', async () => (await import('../site/terms/terms-page.tsx')).TermsPage),
    privacy: screen('privacy', async () => (await import('../site/privacy/privacy-page.tsx')).PrivacyPage),
    dataDeletion: screen(
      'dataDeletion',
      async () => (await import('../site/data-deletion/data-deletion-page.tsx')).DataDeletionPage,
    ),
    profile: screen('profile', async () => (await import('../tools/report/report-page.tsx')).ReportPage),
    appVersion: loadOnce(async () => (await import('../site/app-version/app-version-page.tsx')).AppVersionPage),
  }
}
