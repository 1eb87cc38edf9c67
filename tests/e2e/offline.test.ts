import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { startServer, type TestServer } from '../support/servers/server.ts'

/** The product with a build of its own, so that a test can put a newer one in its place. */
async function withBuild(task: (server: TestServer, dist: string) => Promise<void>): Promise<void> {
  const dist = mkdtempSync(join(tmpdir(), 'waggle-dist-'))
  cpSync('dist', dist, { recursive: true })
  const server = await startServer({}, { dist })
  try {
    await task(server, dist)
  } finally {
    await server.stop()
    rmSync(dist, { recursive: true })
  }
}

const url = (server: TestServer) => `http://localhost:${server.port}`

/** The service worker has kept everything and answers this page's requests. */
async function kept(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
}

test('without a network the product still starts and says so, its faces are there, and it goes on by itself', async ({
  page,
  context,
}) => {
  await withBuild(async (server) => {
    await page.goto(`${url(server)}/about`)
    await kept(page)
    await context.setOffline(true)
    await page.goto(`${url(server)}/`)
    await expect(page.getByRole('heading', { name: 'Waggle' }).first()).toBeVisible()
    await expect(page.getByText('You are offline.')).toBeVisible()
    const answers = await page.evaluate(async () => {
      const status = (path: string) =>
        fetch(path).then(
          ({ status }) => status,
          () => 'no answer',
        )
      return [
        await status('/faces/64/man-1.webp'),
        await status('/api/users/online/get'),
        await status('/api/server/time/get'),
      ]
    })
    expect(answers).toEqual([200, 'no answer', 'no answer'])
    await context.setOffline(false)
    await expect(page.getByText('You are offline.')).not.toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  })
})

test('a new version waits for the end of a call, and then replaces the page', async ({ page }) => {
  await withBuild(async (server, dist) => {
    await page.goto(`${url(server)}/`)
    await kept(page)
    await expect(page).toHaveURL(/\/login$/)
    // What every tab with a call on holds.
    const call = await page.context().newPage()
    await call.goto(`${url(server)}/about`)
    await call.evaluate(() => {
      void navigator.locks.request(
        'call',
        { mode: 'shared' },
        () =>
          new Promise<void>((resolve) => {
            addEventListener('call-ends', () => resolve())
          }),
      )
    })
    await page.reload()
    await page.evaluate(() => Object.assign(globalThis, { old: true }))
    for (const ending of ['br', 'gz']) rmSync(join(dist, `service-worker.js.${ending}`))
    appendFileSync(join(dist, 'service-worker.js'), '\n// A newer version.\n')
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    const waiting = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state)
    await expect.poll(waiting).toBe('installed')
    const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await look()
    expect(await waiting()).toBe('installed')
    expect(await page.evaluate(() => 'old' in globalThis)).toBe(true)
    await call.evaluate(() => dispatchEvent(new Event('call-ends')))
    await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(0)
    const loaded = page.waitForEvent('load')
    await look()
    await loaded
    expect(await page.evaluate(() => 'old' in globalThis)).toBe(false)
    expect(await waiting()).toBeUndefined()
  })
})
