import '../../../src/ui/styles/tokens.css'
import '../../../src/ui/styles/base.css'
import { createRoot } from 'react-dom/client'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
import { expect, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import type { Case } from '#protocol/console.ts'
import { ConsolePage } from '../../../src/console/screens/console-page.tsx'
import { createConsoleStore } from '../../../src/console/state/console.ts'
import { type ConsoleResponses, fakeConsoleApi, whole } from './fake-console.ts'

function Address() {
  return <span data-testid="address">{useLocation().pathname}</span>
}

/** Renders the console of a moderator who is logged in at this address, until the test ends. */
export function renderConsole(
  responses: ConsoleResponses,
  address: string,
  saveFile: (file: Blob, name: string) => void = () => {},
): void {
  const host = document.createElement('div')
  host.id = 'root'
  document.body.append(host)
  const root = createRoot(host)
  onTestFinished(() => {
    root.unmount()
    host.remove()
  })
  const store = createConsoleStore({ api: fakeConsoleApi(responses), log: { info() {}, error() {} }, saveFile })
  root.render(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path="/moderation/notices/:noticeId" element={<ConsolePage store={store} />} />
        <Route path="/moderation/words" element={<ConsolePage store={store} part="words" />} />
        <Route path="/moderation/preservations" element={<ConsolePage store={store} part="preservations" />} />
        <Route path="/moderation/:caseId?" element={<ConsolePage store={store} />} />
      </Routes>
      <Address />
    </MemoryRouter>,
  )
}

/** Renders the console with its queue. */
export async function showConsole(responses: ConsoleResponses = {}): Promise<void> {
  await page.viewport(1280, 800)
  renderConsole(responses, '/moderation')
  await expect.element(page.getByRole('list', { name: 'Open cases' })).toBeVisible()
}

/** Renders the console with the case a, of which `given` is as stated. Resolves with the case on screen. */
export async function showCase(given: Partial<Case>) {
  renderConsole({ readCase: ({ id }) => ({ ...whole(id), ...given }) }, '/moderation/a')
  const shown = page.getByRole('article', { name: 'Case of a' })
  await expect.element(shown).toBeVisible()
  return shown
}
