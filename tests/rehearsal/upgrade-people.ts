import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { ChatClient, type HubUser } from '../support/hub/chat-client.ts'
import { pollUntil } from '../support/poll-until.ts'
import { type SignedInVisitor, signIn } from '../support/servers/server.ts'

const STEP_MS = 40_000

export type Chatter = ChatClient<HubUser>

let people = 0

/** Signs somebody in over HTTP, from an address of their own. */
export function newPerson(site: { origin: string }, name: string): Promise<SignedInVisitor> {
  people += 1
  return signIn(site, { email: `${name}@example.org`, nickName: 'Ada', address: `10.1.${people >> 8}.${people & 255}` })
}

/** The official client of this person, connected through `url`. */
export function chatClient(url: string, visitor: SignedInVisitor): Chatter {
  const hubToken = async () => {
    const { hubConnectionAccessToken } = await visitor.request('readHubToken', { userSessionId: visitor.sessionId })
    return hubConnectionAccessToken
  }
  // Ids of messages begin with the name, and have no @.
  return new ChatClient(url, { name: visitor.email.replace(/@.*/, ''), hubToken })
}

/** Resolves when `holds` is true for all; rejects with the names of the others. */
export async function untilAll(
  clients: readonly Chatter[],
  what: string,
  holds: (client: Chatter) => boolean,
): Promise<void> {
  const left = () => clients.filter((client) => !holds(client))
  await pollUntil(
    () => left().length === 0,
    STEP_MS,
    () =>
      `not ${what}: ${left().map((one) => `${one.name} (${one.connection.state}, ${one.joins} joins, ${one.matches.length} matches)`)}`,
  )
}

/** Each delivers two more messages. */
export async function untilAllChat(clients: readonly Chatter[]): Promise<void> {
  const before = new Map(clients.map((client) => [client, client.acknowledged.length]))
  await untilAll(clients, 'chatting', (client) => client.acknowledged.length > (before.get(client) ?? 0) + 1)
}

export type Caller = { page: Page; context: BrowserContext }

/** Two browsers with the page that the servers serve now, in a call with each other. */
export async function callInBrowsers(site: { origin: string }): Promise<{ browser: Browser; callers: Caller[] }> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...chromiumArgs, '--use-fake-device-for-media-stream=fps=5'],
  })
  const callers: Caller[] = []
  for (const name of ['browser-1', 'browser-2']) {
    const { cookies } = await newPerson(site, name)
    const context = await browser.newContext({
      baseURL: site.origin,
      permissions: ['camera', 'microphone'],
      viewport: { width: 1024, height: 600 },
      serviceWorkers: 'block',
    })
    context.setDefaultTimeout(STEP_MS)
    await context.addCookies([...cookies].map(([key, value]) => ({ name: key, value, url: site.origin })))
    const page = await context.newPage()
    await page.goto('/')
    callers.push({ page, context })
  }
  for (const { page } of callers) await page.getByRole('button', { name: 'Start video chat' }).click()
  await picturesMove(callers)
  return { browser, callers }
}

function playedSeconds({ page }: Caller): Promise<number> {
  return page.getByLabel('Peer video').evaluate((video: HTMLVideoElement) => video.currentTime)
}

export async function picturesMove(callers: readonly Caller[]): Promise<void> {
  for (const [index, caller] of callers.entries()) {
    await caller.page.getByLabel('Peer video').waitFor()
    const first = await playedSeconds(caller)
    await pollUntil(
      async () => (await playedSeconds(caller)) > first,
      STEP_MS,
      () => `browser ${index + 1} sees no moving picture`,
    )
  }
}

/** Each writes to the other. */
export async function writeToEachOther(callers: readonly Caller[], text: string): Promise<void> {
  for (const [index, { page }] of callers.entries()) {
    const words = `${text} ${index}`
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill(words)
    await box.press('Enter')
    const other = callers[1 - index]?.page
    await other?.getByRole('log', { name: 'Chat' }).getByText(words, { exact: true }).waitFor()
    const shown = await other?.getByRole('log', { name: 'Chat' }).getByText(words, { exact: true }).count()
    if (shown !== 1) throw new Error(`"${words}" is shown ${shown} times`)
  }
}
