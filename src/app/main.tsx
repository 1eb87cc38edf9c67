import '../parts/tokens.css'
import '../parts/base.css'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import * as v from 'valibot'
import { PAGE_CONFIG_ID, pageConfigSchema } from '#protocol/page-config.ts'
import { startTracing } from '#workers/trace.ts'
import { blockPictureSaving } from '../parts/block-picture-saving.ts'
import { StoresContext } from '../stores/stores.ts'
import { createApp } from './create-app.ts'
import { AppRoutes } from './routes.tsx'

// Asked for by whoever opens the performance panel; see docs/profiling.md.
if (new URLSearchParams(location.search).has('trace')) startTracing()

const written = document.getElementById(PAGE_CONFIG_ID)?.textContent ?? 'null'
const app = createApp(v.parse(pageConfigSchema, JSON.parse(written)))
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

blockPictureSaving(document)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') app.hidden()
})
createRoot(root).render(
  <StoresContext.Provider value={app.stores}>
    <BrowserRouter>
      <AppRoutes app={app} />
    </BrowserRouter>
  </StoresContext.Provider>,
)
