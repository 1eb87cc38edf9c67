/** Every screen but the splash loads when it is first needed; calling one of these ahead of need warms it up. */
export const pages = {
  signIn: async () => ({ default: (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage }),
  welcome: async () => ({ default: (await import('../pages/welcome/welcome-page.tsx')).WelcomePage }),
  dashboard: async () => ({ default: (await import('../pages/dashboard/dashboard-page.tsx')).DashboardPage }),
  matching: async () => ({ default: (await import('../pages/matching/matching-page.tsx')).MatchingPage }),
  call: async () => ({ default: (await import('../pages/call/call-page.tsx')).CallPage }),
  about: async () => ({ default: (await import('../pages/about/about-page.tsx')).AboutPage }),
  terms: async () => ({ default: (await import('../pages/terms/terms-page.tsx')).TermsPage }),
  privacy: async () => ({ default: (await import('../pages/privacy/privacy-page.tsx')).PrivacyPage }),
  dataDeletion: async () => ({
    default: (await import('../pages/data-deletion/data-deletion-page.tsx')).DataDeletionPage,
  }),
  deletionStatus: async () => ({
    default: (await import('../pages/deletion-status/deletion-status-page.tsx')).DeletionStatusPage,
  }),
  appVersion: async () => ({ default: (await import('../pages/app-version/app-version-page.tsx')).AppVersionPage }),
}
