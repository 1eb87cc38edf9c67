import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { directionOf, type Language } from '#protocol/languages.ts'
import type { PageConfig } from '#protocol/page-config.ts'
import type { FirstScreen } from '../account/state/start-up.ts'
import type { TextStore } from '../platform/texts/texts.ts'
import type { BrowserTexts } from './browser-check.ts'
import { createApp } from './create-app.ts'
import { textsOf } from './pages.ts'
import { AppRoutes } from './routes.tsx'
import { VisitorProvider } from './visitor-provider.tsx'

type Needs = { modules: readonly string[]; texts: readonly string[] }

/** The prerendered pages, each with the modules and the texts that it loads in addition to the entry. */
export const prerendered: Readonly<Record<string, Needs>> = {
  '/': { modules: [], texts: [] },
  '/about': { modules: ['src/site/about/about-page.tsx'], texts: textsOf.about },
  '/terms-of-service': { modules: ['src/site/terms/terms-page.tsx'], texts: textsOf.terms },
  '/privacy-notice': { modules: ['src/site/privacy/privacy-page.tsx'], texts: textsOf.privacy },
  '/fb-data-deletion': { modules: ['src/site/data-deletion/data-deletion-page.tsx'], texts: textsOf.dataDeletion },
  '/app-version': { modules: ['src/site/app-version/app-version-page.tsx'], texts: [] },
  '/report-content': {
    modules: ['src/site/report-content/report-content-page.tsx', 'src/site/state/content-notice.ts'],
    texts: textsOf.reportContent,
  },
}

/** Modules and texts of the screen after the splash screen, for a browser without and with a login. */
export const nextScreens: Readonly<Record<'visitor' | 'member', Needs & { screen: FirstScreen }>> = {
  visitor: { screen: 'login', modules: ['src/account/sign-in/sign-in-page.tsx'], texts: textsOf.signIn },
  member: {
    screen: 'dashboard',
    modules: [
      'src/app/create-member.ts',
      'src/lobby/screens/dashboard-page.tsx',
      'node_modules/idb-keyval/dist/index.js',
    ],
    texts: textsOf.dashboard,
  },
}

/** Stands in for the operator's configuration, which is unknown at build time. A prerendered page shows nothing of it. */
const noOperator: PageConfig = {
  providers: { google: null, facebook: null, development: false },
  hubs: [],
  contactEmail: null,
  storeUrl: null,
  socialLinks: {
    linkedin: null,
    twitter: null,
    instagram: null,
    facebook: null,
    whatsapp: null,
    snapchat: null,
    youtube: null,
    tiktok: null,
  },
  frameClassifier: false,
  curtainLooks: 0,
  relayVideoKbps: 0,
  experienceShare: 0,
  matchTimeoutMs: 0,
  nextWaitSeconds: 0,
  understoodWaitSeconds: 0,
  profilePage: false,
  logs: [],
}

const lacks = ['old', 'insecure', 'app', 'webrtc', 'camera', 'cookies', 'script'] as const
const actions = ['again', 'about', 'secure', 'open', 'how', 'address', 'copy', 'copied', 'go-on'] as const

function recordOf<Key extends string, Value>(keys: readonly Key[], value: (key: Key) => Value) {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>
}

/** Returns the texts of the page for a browser in which the app cannot run. */
function browserTexts(t: TextStore['t']): BrowserTexts {
  return {
    ...recordOf(lacks, (lack) => ({ title: t(`unsupported.${lack}.title`), text: t(`unsupported.${lack}.text`) })),
    actions: recordOf(actions, (action) => t(`unsupported.${action}`)),
  }
}

/** Returns the HTML of a screen as the browser first renders it, with direction, description and further texts of the page. */
export async function renderPage(path: string, language: Language) {
  const app = createApp(noOperator, language)
  const { texts } = app.stores
  await texts.need('first', 'unsupported')
  const { prelude } = await prerender(
    <VisitorProvider stores={app.stores}>
      <StaticRouter location={path}>
        <AppRoutes app={app} />
      </StaticRouter>
    </VisitorProvider>,
  )
  return {
    body: await new Response(prelude).text(),
    direction: directionOf(language),
    description: `${texts.t('first.slogan')} ${texts.t('first.purpose')}`,
    browserTexts: browserTexts(texts.t),
  }
}
