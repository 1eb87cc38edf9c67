import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { freePort } from '../../scripts/free-port.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { startTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts'
import { test as base, expectLivePicture, type Person, slowSetup, startChat } from './people.ts'
import { type Settings, SharedBySettings } from './shared-by-settings.ts'

type Network = TcpProxy & {
  dataDir: string
  /** Stops the server by SIGTERM. */
  stopServer(): Promise<void>
  /** Kills it by SIGKILL. */
  killServer(): Promise<void>
  /** Starts it again on the same port and data folder. */
  startServer(): Promise<void>
  /** Ends both. */
  stop(): Promise<void>
}

export async function startNetwork(settings: Settings): Promise<Network> {
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
    ...settings,
  }
  let server = await startServerProcess(env)
  const stopServer = async () => expect(await server.stop()).toBe(0)
  return {
    ...proxy,
    dataDir: folder,
    stopServer,
    killServer: () => server.kill(),
    async startServer() {
      server = await startServerProcess(env)
    },
    async stop() {
      await stopServer()
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Like `test` of people.ts, with a network between the browsers and the server that a test can break. */
export const test = base.extend<{ network: Network }, { networks: SharedBySettings<Network> }>({
  networks: [
    async ({ browserName: _ }, use) => {
      const networks = new SharedBySettings(startNetwork)
      await use(networks)
      await networks.stop()
    },
    { scope: 'worker' },
  ],
  network: async ({ networks, serverSettings }, use) => use(await networks.with(serverSettings)),
  server: async ({ network: { port, dataDir } }, use) =>
    use({ url: `http://localhost:${port}`, pid: 0, dataDir, stop: async () => 0, kill: async () => {} }),
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
