import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ConsoleInput } from '#protocol/console.ts'
import { showConsole } from '../../support/browser/console-page.tsx'

const address = () => expect.element(page.getByTestId('address'))

test('j and k move through the queue and stop at its ends', async () => {
  await showConsole()
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
  await showConsole()
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
  await showConsole({ decide })
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
  await showConsole()
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
  await showConsole({ search: () => ({ cases: [] }) })
  await userEvent.keyboard('j')
  await expect.element(page.getByRole('article', { name: 'Case of a' })).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(page.getByRole('searchbox', { name: 'Search' })).toHaveFocus()
  await userEvent.keyboard('j1e')
  await expect.element(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('j1e')
  await address().toHaveTextContent('/moderation/a')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})
