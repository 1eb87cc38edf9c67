import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { startServer, type TestServer } from '../support/servers/server.ts'

/** Runs `task` with a server of a copied build, which a test can replace by a newer one. */
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

/** Resolves when the service worker is active and controls this page. */
async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
}

test('without a network the product starts with its faces and shows that it is offline, and continues when the network is back', async ({
  page,
  context,
}) => {
  await withBuild(async (server) => {
    await page.goto(`${url(server)}/about`)
    await controlled(page)
    await context.setOffline(true)
    await page.goto(`${url(server)}/`)
    await expect(page.getByRole('heading', { name: 'Waggle' }).first()).toBeVisible()
    await expect(page.getByText('You are offline.')).toBeVisible()
    const responses = await page.evaluate(async () => {
      const status = (path: string) =>
        fetch(path).then(
          ({ status }) => status,
          () => 'no response',
        )
      return [
        await status('/faces/64/man-1.webp'),
        await status('/api/users/online/get'),
        await status('/api/server/time/get'),
      ]
    })
    expect(responses).toEqual([200, 'no response', 'no response'])
    await context.setOffline(false)
    await expect(page.getByText('You are offline.')).not.toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  })
})

test('a new version waits for the end of a call, and then replaces the page', async ({ page }) => {
  await withBuild(async (server, dist) => {
    await page.goto(`${url(server)}/`)
    await controlled(page)
    await expect(page).toHaveURL(/\/login$/)
    // The lock that every tab with a call holds.
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
