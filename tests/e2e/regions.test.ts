import { expect, type Page } from '@playwright/test'
import { freePort } from '../../scripts/free-port.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { startTcpProxy } from '../support/servers/tcp-proxy.ts'
import { chatOf, expectLivePicture, test as people, say, slowSetup, startChat } from './people.ts'

type Regions = {
  origins: string[]
  /** Makes this origin unreachable. */
  lose(origin: string): Promise<void>
}

/** Two origins of one hub. Like regions with one database and one Redis, they share records and queue. */
const test = people.extend<{ regions: Regions; port: number }>({
  port: async ({ browserName: _ }, use) => use(await freePort()),
  regions: async ({ port }, use) => {
    const started = await Promise.all([startTcpProxy(port), startTcpProxy(port)])
    const proxies = new Map(started.map((proxy) => [`http://localhost:${proxy.port}`, proxy]))
    async function lose(origin: string): Promise<void> {
      await proxies.get(origin)?.close()
      proxies.delete(origin)
    }
    await use({ origins: [...proxies.keys()], lose })
    for (const origin of [...proxies.keys()]) await lose(origin)
  },
  server: async ({ port, regions }, use) => {
    const server = await startServerProcess({
      PORT: String(port),
      HUB_BASES: regions.origins.map((origin, index) => `region${index}=${origin}`).join(','),
      ALLOWED_ORIGINS: `http://localhost:${port}`,
      ...slowSetup,
    })
    await use(server)
    expect(await server.stop()).toBe(0)
  },
})

/** Returns a growing list of the origins of the hub connections of this page, the newest last. */
function hubsOf(page: Page): string[] {
  const origins: string[] = []
  page.on('websocket', (socket) => origins.push(new URL(socket.url()).origin.replace('ws', 'http')))
  return origins
}

test('a call whose hub is lost continues over the hub of another region', async ({ arrive, regions }) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')
  const hubs = hubsOf(ada.page)
  const asked = () => ada.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  for (const origin of regions.origins) await expect.poll(asked).toContain(`${origin}/healthz`)

  for (const person of [ada, bela]) await startChat(person)
  for (const { page } of [ada, bela]) await expectLivePicture(page.getByLabel('Peer video'))
  await say(ada, 'before')
  await expect(chatOf(bela).getByText('before', { exact: true })).toBeVisible()
  const [lost = ''] = hubs
  expect(regions.origins).toContain(lost)

  await regions.lose(lost)
  await expect(ada.page.getByText('Reconnecting... The call goes on.')).toBeVisible()
  await expectLivePicture(ada.page.getByLabel('Peer video'))
  await say(ada, 'meanwhile')

  await expect(chatOf(bela).getByText('meanwhile', { exact: true })).toBeVisible()
  await say(bela, 'and back')
  await expect(chatOf(ada).getByText('and back', { exact: true })).toBeVisible()
  await expect(ada.page.getByText('Reconnecting... The call goes on.')).toBeHidden()
  expect(hubs.at(-1)).not.toBe(lost)
  expect(regions.origins).toContain(hubs.at(-1))
  for (const { page } of [ada, bela]) await expectLivePicture(page.getByLabel('Peer video'))
})
