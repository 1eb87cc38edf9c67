import '../parts/tokens.css'
import '../parts/base.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import * as v from 'valibot'
import { PAGE_CONFIG_ID, pageConfigSchema } from '#protocol/page-config.ts'
import { startTracing } from '#workers/trace.ts'
import { blockPictureSaving } from '../parts/block-picture-saving.ts'
import { StoresContext } from '../stores/stores.ts'
import { followConsent } from './consent.ts'
import { createApp } from './create-app.ts'
import { AppRoutes } from './routes.tsx'

// Asked for by whoever opens the performance panel; see docs/profiling.md.
if (new URLSearchParams(location.search).has('trace')) startTracing()

const written = document.getElementById(PAGE_CONFIG_ID)?.textContent ?? 'null'
const app = createApp(v.parse(pageConfigSchema, JSON.parse(written)))
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

blockPictureSaving(document)
followConsent(app.allowOptional)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') app.hidden()
})
const page = (
  <StoresContext.Provider value={app.stores}>
    <BrowserRouter>
      <AppRoutes app={app} />
    </BrowserRouter>
  </StoresContext.Provider>
)
if (root.hasChildNodes()) hydrateRoot(root, page)
else createRoot(root).render(page)

// After everything that the first screen needs, and only where there is a build to keep.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => {
    import('./offline.ts').then(({ keepOffline }) => keepOffline(app.path)).catch(() => {})
  })
}
