import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { TransparencyReport } from '#protocol/transparency.ts'
import { TransparencyPage } from '../../../src/site/transparency/transparency-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { render } from '../../support/browser/render.tsx'

const report: TransparencyReport = {
  from: '2026-01',
  to: '2026-06',
  publishedAt: Date.UTC(2026, 6, 10, 12),
  rows: [
    { indicator: 'notices-received', scope: 'nudity', value: 1_204 },
    { indicator: 'notices-received', scope: 'spam', value: null },
    { indicator: 'notices-received', scope: 'total', value: 1_230 },
    { indicator: 'complaints-median', scope: 'total', value: 31 },
    { indicator: 'automated-share', scope: 'total', value: 64 },
  ],
}

test('the published report is shown with its numbers, those that are hidden as such, and the file', async () => {
  const { stores, transparency } = fakeStores({ report })
  render(stores, <TransparencyPage store={transparency} />, '/transparency')
  const main = page.getByRole('main')
  await expect
    .element(main.getByText(/^This report is about January 2026 to June 2026\. It was published on July 10, 2026\.$/))
    .toBeVisible()
  await expect.element(main.getByRole('row', { name: 'Nudity or sexual acts 1,204' })).toBeVisible()
  await expect.element(main.getByRole('row', { name: 'Spam or a recording not shown' })).toBeVisible()
  await expect.element(main.getByRole('row', { name: 'In all 31 hours' })).toBeVisible()
  await expect.element(main.getByRole('row', { name: 'In all 64%' })).toBeVisible()
  const file = main.getByRole('link', { name: 'Download it as CSV' })
  await expect.element(file).toHaveAttribute('href', '/api/transparency/csv')
})

test('nothing is shown before the first report, and a failed request can be repeated', async () => {
  const { stores, world, transparency } = fakeStores({ failing: ['readTransparency'] })
  render(stores, <TransparencyPage store={transparency} />, '/transparency')
  await expect.element(page.getByText(/The report could not be loaded/)).toBeVisible()
  world.failing = []
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('No report has been published yet.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Download it as CSV' })).not.toBeInTheDocument()
})
