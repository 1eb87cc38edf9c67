import './trusted-types.ts'
import '../parts/tokens.css'
import '../parts/base.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { startTracing } from '#workers/trace.ts'
import { blockPictureSaving } from '../parts/block-picture-saving.ts'
import { StoresContext } from '../stores/stores.ts'
import { createApp } from './create-app.ts'
import { pageConfig } from './page-config.ts'
import { AppRoutes } from './routes.tsx'

// Asked for by whoever opens the performance panel; see docs/profiling.md.
if (new URLSearchParams(location.search).has('trace')) startTracing()

const app = createApp(pageConfig)
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

blockPictureSaving(document)
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
