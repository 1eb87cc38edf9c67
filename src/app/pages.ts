import type { TextStore } from '../stores/texts.ts'
import type { TextGroup } from '../texts/catalogue.ts'
import { loadOnce } from './load-once.ts'

/** The text groups of each screen; a screen that is not listed has none. */
export const textsOf = {
  signIn: ['frame', 'cookies', 'sign-in', 'notices'],
  welcome: ['frame', 'welcome', 'notices'],
  dashboard: ['frame', 'cookies', 'dashboard', 'cases', 'my-data', 'devices', 'notices'],
  matching: ['matching', 'shared', 'devices', 'call', 'notices'],
  call: ['frame', 'call', 'shared', 'devices', 'notices'],
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

/** Every screen but the splash, each with its texts. Loading one early preloads the screen. */
export function createPages(need: TextStore['need']) {
  function screen<Component>(name: keyof typeof textsOf, load: () => Promise<Component>) {
    return loadOnce(async () => {
      const [component] = await Promise.all([load(), need(...textsOf[name])])
      return component
    })
  }
  return {
    signIn: screen('signIn', async () => (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage),
    welcome: screen('welcome', async () => (await import('../pages/welcome/welcome-page.tsx')).WelcomePage),
    dashboard: screen('dashboard', async () => (await import('../pages/dashboard/dashboard-page.tsx')).DashboardPage),
    matching: screen('matching', async () => (await import('../pages/matching/matching-page.tsx')).MatchingPage),
    call: screen('call', async () => (await import('../pages/call/call-page.tsx')).CallPage),
    about: screen('about', async () => (await import('../pages/about/about-page.tsx')).AboutPage),
    terms: screen('terms', async () => (await import('../pages/terms/terms-page.tsx')).TermsPage),
    privacy: screen('privacy', async () => (await import('../pages/privacy/privacy-page.tsx')).PrivacyPage),
    dataDeletion: screen(
      'dataDeletion',
      async () => (await import('../pages/data-deletion/data-deletion-page.tsx')).DataDeletionPage,
    ),
    deletionStatus: screen(
      'deletionStatus',
      async () => (await import('../pages/deletion-status/deletion-status-page.tsx')).DeletionStatusPage,
    ),
    transparency: screen(
      'transparency',
      async () => (await import('../pages/transparency/transparency-page.tsx')).TransparencyPage,
    ),
    profile: screen('profile', async () => (await import('../pages/profile/profile-page.tsx')).ProfilePage),
    appVersion: loadOnce(async () => (await import('../pages/app-version/app-version-page.tsx')).AppVersionPage),
  }
}
