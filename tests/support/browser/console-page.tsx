import '../../../src/parts/tokens.css'
import '../../../src/parts/base.css'
import { createRoot } from 'react-dom/client'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
import { expect, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { ConsolePage } from '../../../src/pages/console/console-page.tsx'
import { createConsoleStore } from '../../../src/stores/console.ts'
import { type ConsoleResponses, fakeConsoleApi } from './fake-console.ts'

function Address() {
  return <span data-testid="address">{useLocation().pathname}</span>
}

/** Renders the console of a moderator who is logged in, until the test ends. */
export async function showConsole(responses: ConsoleResponses = {}): Promise<void> {
  await page.viewport(1280, 800)
  const host = document.createElement('div')
  host.id = 'root'
  document.body.append(host)
  const root = createRoot(host)
  onTestFinished(() => {
    root.unmount()
    host.remove()
  })
  const store = createConsoleStore({ api: fakeConsoleApi(responses), log: { info() {}, error() {} } })
  root.render(
    <MemoryRouter initialEntries={['/moderation']}>
      <Routes>
        <Route path="/moderation/notices/:noticeId" element={<ConsolePage store={store} />} />
        <Route path="/moderation/:caseId?" element={<ConsolePage store={store} />} />
      </Routes>
      <Address />
    </MemoryRouter>,
  )
  await expect.element(page.getByRole('list', { name: 'Open cases' })).toBeVisible()
}
