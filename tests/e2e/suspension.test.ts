import { expect } from '@playwright/test'
import { settledAtOnce } from '../support/stores/settled-people.ts'
import { expectLivePicture, startChat, test } from './people.ts'

// Rules: docs/product.md REPORT-8, STATUS-3, STATUS-6, STATUS-7.

// One report suspends.
test.use({
  serverSettings: {
    REPORTS_TO_WARN: '1',
    REPORTS_TO_SUSPEND: '1',
    ...settledAtOnce,
    UNDERSTOOD_WAIT_SECONDS: '1',
  },
})

test('a user who is suspended by a report reads the warning, then the reason, and appeals', async ({ arrive }) => {
  const lea = await arrive('Lea')
  const max = await arrive('Max')
  await startChat(lea)
  await startChat(max)
  await expectLivePicture(lea.page.getByLabel('Peer video'))
  await expectLivePicture(max.page.getByLabel('Peer video'))
  await lea.page.getByRole('button', { name: 'Report User' }).click()
  await lea.page.getByRole('button', { name: 'Ok' }).click()

  await expect(max.page.getByText('Warning: You Have Been Reported')).toBeVisible()
  await max.page.getByRole('button', { name: 'Understood', exact: true }).click()
  await expect(max.page).toHaveURL(/\/dashboard$/)
  await expect(max.page.getByRole('heading', { name: 'Your account is temporarily suspended' })).toBeVisible()
  await expect(max.page.getByText('You were reported during a video chat.')).toBeVisible()
  await expect(max.page.getByRole('button', { name: 'Start video chat' })).toHaveCount(0)
  await expect(max.page.getByText(/Unable to connect to our services/)).toHaveCount(0)

  await max.page.getByRole('button', { name: 'Submit Appeal' }).click()
  await expect(max.page.getByText('Your case will be reviewed within 10 days and you will be notified.')).toBeVisible()
  await expect(max.page.getByText(/^A moderator decides, and you will be told here\./)).toBeVisible()

  await max.page.setViewportSize({ width: 320, height: 640 })
  const widths = await max.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0)
  await max.page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => {
      throw new Error('The camera of a suspended user was opened')
    }
  })
  await max.page.reload()
  await expect(max.page.getByRole('heading', { name: 'Your account is under review' })).toBeVisible()
  await expect(max.page.getByText('Our system, by what was reported. No moderator has decided this.')).toBeVisible()
  await expect(max.page.locator('video')).toHaveCount(0)
  await expect(lea.page).toHaveURL(/\/buzzing$/)
})
