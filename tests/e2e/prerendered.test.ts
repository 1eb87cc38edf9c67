import { expect } from '@playwright/test'
import { test } from './people.ts'

const articles = [
  { path: '/about', heading: 'About us' },
  { path: '/terms-of-service', heading: 'Terms & Conditions' },
  { path: '/privacy-notice', heading: 'Data Privacy' },
  { path: '/fb-data-deletion', heading: 'Data deletion' },
]

for (const { path, heading } of articles) {
  test(`${path} is complete without a script, and does not change when the script hydrates it`, async ({
    browser,
    server,
  }) => {
    const still = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
    const read = await still.newPage()
    await read.goto(path)
    await expect(read.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(read).toHaveTitle(`${heading} · Waggle`)
    const words = (await read.getByRole('article').textContent()) ?? ''
    const background = () => getComputedStyle(document.body).backgroundColor
    expect(words.length).toBeGreaterThan(1_000)

    const live = await browser.newContext({ baseURL: server.url })
    const page = await live.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(path)
    // The operator is filled in by the script.
    await expect(page.getByRole('contentinfo').getByRole('link', { name: /@/ })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page).toHaveTitle(`${heading} · Waggle`)
    expect(await page.evaluate(background)).toBe(await read.evaluate(background))
    expect(faults).toEqual([])
    await still.close()
    await live.close()
  })
}

test('the splash screen is visible before the script', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Waggle' })).toBeVisible()
  await context.close()
})

test('the prerendered privacy notice covers every configuration of camera pictures, and the script makes it exact', async ({
  browser,
  server,
}) => {
  const claim = 'a picture of it is sent to our server every ten seconds.'
  const still = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false })
  const read = await still.newPage()
  await read.goto('/privacy-notice')
  await expect(read.getByText(claim)).toContainText('depends on how the service is set up')
  const live = await browser.newContext({ baseURL: server.url })
  const page = await live.newPage()
  await page.goto('/privacy-notice')
  await expect(page.getByText(claim)).toContainText('No program examines it')
  await still.close()
  await live.close()
})
