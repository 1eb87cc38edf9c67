import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import * as v from 'valibot'
import { myDataSchema } from '#protocol/my-data.ts'
import { test } from './people.ts'

// Rules: docs/product.md ACCOUNT-8 to ACCOUNT-11.

const start = (page: Page) => page.getByRole('button', { name: 'Start video chat' })
const openPopup = (page: Page) => page.getByRole('button', { name: /^Hi, / }).click()

test('a user downloads the data, requests the deletion of the account, signs in again in time and keeps it', async ({
  arrive,
}) => {
  const { page } = await arrive('Olga')
  await openPopup(page)
  const email = (await page.getByRole('region', { name: 'Profile' }).getByText('@').textContent()) ?? ''
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('waggle-my-data.json')
  const data = v.parse(myDataSchema, JSON.parse(await readFile(await download.path(), 'utf8')))
  expect(data).toMatchObject({ account: { email }, profile: { nickName: 'Olga' } })

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  await expect(dialog.getByRole('button', { name: 'Keep my account' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText(/^Your account will be deleted by /)).toBeVisible()
  const google = page.getByRole('button', { name: 'Sign in with Google' })
  await expect(google).toBeVisible()

  const popupOpens = page.waitForEvent('popup')
  await google.click()
  const popup = await popupOpens
  await popup.getByLabel('E-mail').fill(email)
  await popup.getByLabel('First name').fill('Olga')
  await popup.getByLabel('Last name').fill('Tester')
  await popup.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('heading', { name: 'Your account is being deleted' })).toBeVisible()
  await expect(start(page)).toBeHidden()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect(start(page)).toBeVisible()
})

test('the deletion status is a page of the product', async ({ page }) => {
  await page.goto(`/deletion-status?code=${'A'.repeat(22)}`)
  await expect(page.getByRole('heading', { name: 'Deletion status' })).toBeVisible()
  await expect(page.getByText('We do not know this code. Please check that it is whole.')).toBeVisible()
})
