import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { freePort } from '../../scripts/free-port.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { startTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts'
import { test as base, expectLivePicture, type Person, slowSetup, startChat } from './people.ts'

type Network = TcpProxy & {
  dataDir: string
  /** Stops the server by SIGTERM. */
  stopServer(): Promise<void>
  /** Kills it by SIGKILL. */
  killServer(): Promise<void>
  /** Starts it again on the same port and data folder. */
  startServer(): Promise<void>
}

type Settings = Record<string, string>

/** Like `test` of people.ts, with a network between the browsers and the server that a test can break. */
export const test = base.extend<object, { network: Network; serverSettings: Settings }>({
  serverSettings: [{}, { option: true, scope: 'worker' }],
  network: [
    async ({ serverSettings }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'waggle-'))
      const port = await freePort()
      const proxy = await startTcpProxy(port)
      const env = {
        PORT: String(port),
        DATA_DIR: folder,
        PUBLIC_ORIGIN: `http://localhost:${proxy.port}`,
        NEXT_WAIT_SECONDS: '1',
        MATCH_RELAX_AFTER_MS: '100',
        ...slowSetup,
        ...serverSettings,
      }
      let server = await startServerProcess(env)
      await use({
        ...proxy,
        dataDir: folder,
        async stopServer() {
          expect(await server.stop()).toBe(0)
        },
        killServer: () => server.kill(),
        async startServer() {
          server = await startServerProcess(env)
        },
      })
      expect(await server.stop()).toBe(0)
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ network }, use) => {
      const { port, dataDir } = network
      await use({ url: `http://localhost:${port}`, pid: 0, dataDir, stop: async () => 0, kill: async () => {} })
    },
    { scope: 'worker' },
  ],
})

export async function meet(...people: Person[]): Promise<void> {
  for (const person of people) await startChat(person)
  for (const { page } of people) await expectLivePicture(page.getByLabel('Peer video'))
}

/** Resolves with the chat messages of one side that this page shows, in order. */
export function written(page: Page, from: 'peer' | 'self'): Promise<string[]> {
  return page.getByRole('log', { name: 'Chat' }).locator(`[data-from=${from}] > p:first-of-type`).allTextContents()
}

/** Resolves with the delivery state of each own message: sending, sent or failed. */
export function deliveries(page: Page): Promise<(string | null)[]> {
  const own = page.getByRole('log', { name: 'Chat' }).locator('[data-from=self]')
  return own.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-delivery')))
}
