import '../../../src/parts/tokens.css'
import '../../../src/parts/base.css'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ConsoleInput } from '#protocol/console.ts'
import { ConsolePage } from '../../../src/pages/console/console-page.tsx'
import { createConsoleStore } from '../../../src/stores/console.ts'
import { type ConsoleResponses, fakeConsoleApi } from '../../support/browser/fake-console.ts'

let open: { root: Root; host: HTMLElement } | null = null
afterEach(() => {
  open?.root.unmount()
  open?.host.remove()
})

function Address() {
  return <span data-testid="address">{useLocation().pathname}</span>
}

async function show(responses: ConsoleResponses = {}): Promise<void> {
  await page.viewport(1280, 800)
  const host = document.createElement('div')
  host.id = 'root'
  document.body.append(host)
  const root = createRoot(host)
  open = { root, host }
  const store = createConsoleStore({ api: fakeConsoleApi(responses), log: { info() {}, error() {} } })
  root.render(
    <MemoryRouter initialEntries={['/moderation']}>
      <Routes>
        <Route path="/moderation/:caseId?" element={<ConsolePage store={store} />} />
      </Routes>
      <Address />
    </MemoryRouter>,
  )
  await expect.element(page.getByRole('list', { name: 'Open cases' })).toBeVisible()
}

const address = () => expect.element(page.getByTestId('address'))

test('j and k move through the queue and stop at its ends', async () => {
  await show()
  await userEvent.keyboard('j')
  await address().toHaveTextContent('/moderation/a')
  await userEvent.keyboard('k')
  await address().toHaveTextContent('/moderation/a')
  await userEvent.keyboard('j')
  await address().toHaveTextContent('/moderation/b')
  await userEvent.keyboard('j')
  await address().toHaveTextContent('/moderation/b')
  await userEvent.keyboard('k')
  await address().toHaveTextContent('/moderation/a')
})

test('in the list the arrows do the same, elsewhere they scroll', async () => {
  await show()
  await userEvent.keyboard('{ArrowDown}')
  expect(page.getByTestId('address').element().textContent).toBe('/moderation')
  const first = page.getByRole('link', { name: /^a/ }).element()
  if (first instanceof HTMLElement) first.focus()
  await userEvent.keyboard('{ArrowDown}')
  await address().toHaveTextContent('/moderation/a')
  await userEvent.keyboard('{ArrowDown}')
  await address().toHaveTextContent('/moderation/b')
})

test('a number key opens the decision, and nothing is decided before it is confirmed with a note', async () => {
  const decide = vi.fn((_decision: ConsoleInput<'decide'>) => ({ status: 'Warning' }) as const)
  await show({ decide })
  await userEvent.keyboard('j')
  await expect.element(page.getByRole('article', { name: 'Case of a' })).toBeVisible()
  await userEvent.keyboard('2')
  const dialog = page.getByRole('dialog', { name: 'Warn a?' })
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await dialog.getByRole('button', { name: 'Warn' }).click()
  expect(decide).not.toHaveBeenCalled()
  await dialog.getByLabelText('Note').fill('Rude')
  await dialog.getByRole('button', { name: 'Warn' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(decide.mock.calls).toEqual([
    [{ id: 'a', version: '0.0.1.0', verdict: 'warn', rule: 'guidelines', note: 'Rude' }],
  ])
})

test('a verdict that is not allowed has no key, and Escape decides nothing', async () => {
  await show()
  await userEvent.keyboard('j')
  await expect.element(page.getByRole('button', { name: 'Block' })).toBeDisabled()
  await userEvent.keyboard('4')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await userEvent.keyboard('1')
  await expect.element(page.getByRole('dialog', { name: 'Dismiss a?' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('keys typed into a text field are no commands', async () => {
  await show({ search: () => ({ cases: [] }) })
  await userEvent.keyboard('j')
  await expect.element(page.getByRole('article', { name: 'Case of a' })).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(page.getByRole('searchbox', { name: 'Search' })).toHaveFocus()
  await userEvent.keyboard('j1e')
  await expect.element(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('j1e')
  await address().toHaveTextContent('/moderation/a')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})
