import { expect, type Page } from '@playwright/test'
import { LOOPBACK_PEERS } from '../../scripts/links/coturn-process.ts'
import { keepConnections, type Watched } from '../support/browser/keep-connections.ts'
import { type Coturn, startCoturn } from '../support/servers/coturn.ts'
import { readMetrics } from '../support/servers/read-metrics.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { chatOf, expectLivePicture, type Person, test as people, say, slowSetup, startChat } from './people.ts'

/** Like `test` of people.ts, with a real coturn beside the server. */
const test = people.extend<{ coturn: Coturn }>({
  coturn: async ({ browserName: _ }, use) => {
    const coturn = await startCoturn(LOOPBACK_PEERS)
    await use(coturn)
    await coturn.stop()
  },
  server: async ({ coturn }, use) => {
    const server = await startServerProcess({ ...coturn.env, ...slowSetup })
    await use(server)
    expect(await server.stop()).toBe(0)
  },
})

/** Where nothing listens. */
const NOWHERE = '127.0.0.1:9'

type Candidate = { type: string; address: string | null; relatedAddress: string | null }

/** Resolves with the local and the remote type of the selected candidate pair. */
function selectedPair(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const live = (globalThis as Watched).connections.filter(({ connectionState }) => connectionState === 'connected')
    const reports = await Promise.all(live.map((connection) => connection.getStats()))
    return reports.flatMap((stats) => {
      const all = [...stats.values()]
      const { selectedCandidatePairId } = all.find(({ type }) => type === 'transport') ?? {}
      const { localCandidateId, remoteCandidateId } = stats.get(selectedCandidatePairId) ?? {}
      return [stats.get(localCandidateId)?.candidateType, stats.get(remoteCandidateId)?.candidateType]
    })
  })
}

/** Resolves with the limits of the pictures that open peer connections send. */
function highestBitRates(page: Page): Promise<(number | undefined)[]> {
  return page.evaluate(() =>
    (globalThis as Watched).connections
      .filter(({ connectionState }) => connectionState === 'connected')
      .flatMap((connection) => connection.getSenders().filter(({ track }) => track?.kind === 'video'))
      .flatMap((sender) => sender.getParameters().encodings.map(({ maxBitrate }) => maxBitrate)),
  )
}

/** Resolves with every local and remote candidate in the descriptions of open peer connections. */
function candidates(page: Page): Promise<Candidate[]> {
  return page.evaluate(() =>
    (globalThis as Watched).connections
      // The warm-up connection is closed, and its candidates were not sent.
      .filter(({ connectionState }) => connectionState !== 'closed')
      .flatMap(({ localDescription, remoteDescription }) =>
        [localDescription, remoteDescription].flatMap((description) =>
          [...(description?.sdp ?? '').matchAll(/^a=candidate:.*$/gm)].map(([line]) => ({
            type: / typ (\S+)/.exec(line)?.[1] ?? '',
            address: line.split(' ')[4] ?? null,
            relatedAddress: / raddr (\S+)/.exec(line)?.[1] ?? null,
          })),
        ),
      ),
  )
}

/** Resolves with the values that the page stored in IndexedDB. */
function kept(page: Page): Promise<unknown[]> {
  return page.evaluate(
    () =>
      new Promise<unknown[]>((resolve) => {
        const opening = indexedDB.open('UserDb')
        opening.onsuccess = () => {
          const reading = opening.result.transaction('userStore').objectStore('userStore').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            resolve(reading.result)
          }
        }
      }),
  )
}

/** Turns the switch on and reloads: the choice is kept, and the page collects peer connections from its start. */
async function hideAddress({ page, context }: Person): Promise<void> {
  const hide = page.getByRole('switch', { name: 'Hide my network address' })
  await hide.click()
  await expect(hide).toBeChecked()
  await expect.poll(() => kept(page)).toContain('on')
  await context.addInitScript(keepConnections)
  await page.goto('/')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(hide).toBeChecked()
}

test('two users who hide their network address connect over the relay only', async ({ arrive, server }) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')
  for (const person of [ada, bela]) await hideAddress(person)
  for (const person of [ada, bela]) await startChat(person)
  for (const { page } of [ada, bela]) await expectLivePicture(page.getByLabel('Peer video'))

  for (const { page } of [ada, bela]) {
    expect(await selectedPair(page)).toEqual(['relay', 'relay'])
    const seen = await candidates(page)
    expect(new Set(seen.map(({ type }) => type))).toEqual(new Set(['relay']))
    // A related address would reveal the own address.
    expect(new Set(seen.map(({ relatedAddress }) => relatedAddress))).toEqual(new Set(['0.0.0.0']))
  }
  // The relay is offered over both, and a busy machine may have the pair over TCP first.
  const relayed = async () => {
    const metrics = await readMetrics({ origin: server.url })
    const overWay = (way: string) => metrics(`waggle_candidate_pairs_total{kind="relay",way="${way}",family="ipv4"}`)
    return overWay('udp') + overWay('tcp')
  }
  await expect.poll(relayed).toBe(2)
  for (const { page } of [ada, bela]) await expect.poll(() => highestBitRates(page)).toEqual([800_000])

  await say(ada, 'You cannot see where I am')
  await expect(chatOf(bela).getByText('You cannot see where I am', { exact: true })).toBeVisible()
})

test('the check tells UDP, TCP and TLS to the relay apart, and says what helps where UDP is blocked', async ({
  arrive,
  coturn,
}) => {
  const { page, context } = await arrive('Dora')
  const relay = `127.0.0.1:${coturn.port}`
  let overUdp = relay
  await context.route('**/api/turn', async (route) => {
    const response = await route.fetch()
    const turnUrl = `turn:${overUdp}?transport=udp,turn:${relay}?transport=tcp,turns:${relay}?transport=tcp`
    await route.fulfill({ response, json: { ...(await response.json()), turnUrl } })
  })
  await page.getByRole('button', { name: 'Camera and sound' }).click()
  await page.getByRole('button', { name: 'Check my camera and connection' }).click()
  const network = page.getByRole('region', { name: 'Network' })
  // This relay listens on its port without TLS.
  await expect(network.getByRole('listitem')).toHaveText([
    'UDP: gets through',
    'TCP: gets through',
    'TLS: does not get through',
  ])
  await expect(network).toContainText('Calls get through your network.')

  overUdp = NOWHERE
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(network.getByRole('listitem').first()).toHaveText('UDP: does not get through')
  await expect(network.getByRole('listitem').nth(1)).toHaveText('TCP: gets through')
  await expect(network).toContainText(/lets no UDP through.* Turn off a VPN, or use another network/)
})

people('without a relay, a user who hides the network address is not connected', async ({ arrive }) => {
  const cleo = await arrive('Cleo')
  await cleo.page.getByRole('switch', { name: 'Hide my network address' }).click()
  await startChat(cleo)
  await expect(
    cleo.page.getByText(/^No relay server is available, so your network address cannot be hidden/),
  ).toBeVisible()
  await expect(cleo.page).toHaveURL(/\/dashboard$/)
  await expect(cleo.page.getByRole('button', { name: 'Start video chat' })).toBeVisible()

  await cleo.page.getByRole('switch', { name: 'Hide my network address' }).click()
  await startChat(cleo)
  await expect(cleo.page.getByText('Finding a partner...')).toBeVisible()
  await cleo.page.getByRole('button', { name: 'Cancel Matching' }).click()
})
