import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ConsoleInput } from '#protocol/console.ts'
import { showConsole } from '../../support/browser/console-page.tsx'

const dialog = page.getByRole('dialog', { name: 'Correct the date of birth of a?' })
const day = dialog.getByLabelText('Date of birth')

async function openDialog() {
  const correctBirth = vi.fn((_input: ConsoleInput<'correctBirth'>) => ({ status: 'Valid' }) as const)
  await showConsole({ correctBirth })
  await userEvent.keyboard('j')
  await page.getByRole('button', { name: 'Correct the date of birth' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  return correctBirth
}

test('a date of birth is corrected after a confirmation', async () => {
  const correctBirth = await openDialog()
  await expect.element(day).toHaveValue('1990-12-10')
  await expect.element(dialog.getByRole('button', { name: 'Correct' })).toBeDisabled()
  await day.fill('1989-01-31')
  await dialog.getByRole('button', { name: 'Correct' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(correctBirth.mock.calls).toEqual([[{ id: 'a', dateOfBirth: '1989-01-31' }]])
})

test('the date of a minor is named as such before it is sent, and Escape sends nothing', async () => {
  const correctBirth = await openDialog()
  await day.fill(`${new Date().getFullYear() - 17}-01-01`)
  await expect.element(dialog.getByText('This is the date of a minor: they are blocked for good.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Correct and block' })).toBeEnabled()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(correctBirth).not.toHaveBeenCalled()
})
