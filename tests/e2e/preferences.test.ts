import { expect, type Page } from '@playwright/test'
import { inspect } from './inspect.ts'
import { startChat, test } from './people.ts'

// Rules: docs/product.md LOBBY-9, LOBBY-10, MATCH-11.

test.use({ isTranslated: true })

async function choose(page: Page, { language, interest }: { language: string; interest: string }): Promise<void> {
  await page.getByRole('button', { name: 'Languages and interests' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who I meet' })
  await dialog.getByRole('combobox', { name: 'Languages I speak' }).fill(language)
  await page.keyboard.press('Enter')
  await dialog.getByRole('combobox', { name: 'Interests' }).fill(interest)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
}

test('languages and interests are kept, also when one is refused, and two who share them are told', async ({
  arrive,
}) => {
  const ada = await arrive('Ada')
  const { page } = ada
  await choose(page, { language: 'catal', interest: 'Chess' })
  await expect(page.getByText('Saved. It counts from your next search on.')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Languages and interests' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who I meet' })
  await expect(dialog.getByRole('button', { name: 'Remove Català' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Remove chess' })).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Interests' }).fill('join my channel at x.example')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(
    dialog.getByText('Only letters and digits are allowed, with one space, hyphen or apostrophe between words.'),
  ).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Remove chess' })).toBeVisible()
  await inspect(page, 'who-i-meet')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // Two users are told what they share.
  const bela = await arrive('Béla')
  await choose(bela.page, { language: 'catal', interest: 'chess' })
  for (const person of [ada, bela]) await startChat(person)
  for (const person of [ada, bela])
    await expect(person.page.getByText('You both speak English and Catalan and like chess.')).toBeVisible()
})
