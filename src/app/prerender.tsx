import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import type { PageConfig } from '#protocol/page-config.ts'
import { StoresContext } from '../stores/stores.ts'
import { createApp } from './create-app.ts'
import { AppRoutes } from './routes.tsx'

/** The pages that are built as HTML, and the module that each loads on top of the page's entry. */
export const prerendered: Readonly<Record<string, string | null>> = {
  '/': null,
  '/about': 'src/pages/about/about-page.tsx',
  '/terms-of-service': 'src/pages/terms/terms-page.tsx',
  '/privacy-notice': 'src/pages/privacy/privacy-page.tsx',
  '/fb-data-deletion': 'src/pages/data-deletion/data-deletion-page.tsx',
}

/** At build time there is no operator; nothing of this is to be seen in a prerendered page. */
const nobody = 'https://localhost/'
const noOperator: PageConfig = {
  providers: { google: null, facebook: null, development: false },
  hubBase: '',
  contactEmail: '',
  storeUrl: nobody,
  socialLinks: {
    linkedin: nobody,
    twitter: nobody,
    instagram: nobody,
    facebook: nobody,
    whatsapp: nobody,
    snapchat: nobody,
    youtube: nobody,
    tiktok: nobody,
  },
  frameClassifier: false,
  matchTimeoutMs: 0,
  nextWaitSeconds: 0,
  understoodWaitSeconds: 0,
  logs: [],
}

/** The HTML of one screen as a visitor's browser draws it first. */
export async function renderPage(path: string): Promise<string> {
  const app = createApp(noOperator)
  const { prelude } = await prerender(
    <StoresContext.Provider value={app.stores}>
      <StaticRouter location={path}>
        <AppRoutes app={app} />
      </StaticRouter>
    </StoresContext.Provider>,
  )
  return new Response(prelude).text()
}
