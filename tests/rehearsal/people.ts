import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { keepConnections, type Watched } from '../support/browser/keep-connections.ts'
import { pollUntil } from '../support/poll-until.ts'
import { signIn } from '../support/servers/server.ts'
import { hosts, publicKeyDigest, SITE } from './machine.ts'

export const origin = `https://${SITE}`

const STEP_MS = 40_000

export type { Browser }

export type Person = { name: string; context: BrowserContext; page: Page }

/** Chromium with a fake camera, which accepts the site's certificate by its key and knows the names of the rehearsal's machine alone. */
export async function openBrowser(userData: string): Promise<Browser> {
  const names = [`MAP ${SITE} ${hosts.balancer}`, `MAP turn.example.org ${hosts['turn.example.org']}`]
  const args = chromiumArgs.filter((one) => !one.startsWith('--host-resolver-rules'))
  return await chromium.launch({
    executablePath: chromiumPath(),
    args: [
      ...args,
      '--use-fake-device-for-media-stream=fps=5',
      `--host-resolver-rules=${names.join(', ')}, MAP * ~NOTFOUND, EXCLUDE ${hosts.balancer}, EXCLUDE ${hosts['turn.example.org']}`,
      `--ignore-certificate-errors-spki-list=${publicKeyDigest()}`,
    ],
    env: { ...process.env, HOME: userData },
  })
}

let people = 0

/** Signs somebody in with the provider's token, and opens the dashboard. */
export async function arrive(browser: Browser, name: string): Promise<Person> {
  people += 1
  const account = `${name.toLowerCase()}${people}`
  const { cookies } = await signIn(
    { origin },
    { email: `${account}@example.org`, firstName: name, accessToken: `token-${account}` },
  )
  const context = await browser.newContext({
    baseURL: origin,
    permissions: ['camera', 'microphone'],
    viewport: { width: 1024, height: 600 },
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  context.setDefaultTimeout(STEP_MS)
  await context.addCookies([...cookies].map(([key, value]) => ({ name: key, value, url: origin })))
  await context.addInitScript(keepConnections)
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'Start video chat' }).waitFor()
  return { name, context, page }
}

/** Turns on "Hide my network address": calls then go through the relay alone. */
export async function hideAddress({ page }: Person): Promise<void> {
  const hide = page.getByRole('switch', { name: 'Hide my network address' })
  await hide.click()
  await hide.and(page.getByRole('switch', { checked: true })).waitFor()
}

function playedSeconds(page: Page): Promise<number> {
  return page.getByLabel('Peer video').evaluate((video: HTMLVideoElement) => video.currentTime)
}

/** Resolves when the picture of the other person moves. */
async function expectPicture({ name, page }: Person): Promise<void> {
  await page.getByLabel('Peer video').waitFor()
  const first = await playedSeconds(page)
  await pollUntil(
    async () => (await playedSeconds(page)) > first,
    STEP_MS,
    () => `${name} sees no moving picture`,
  )
}

/** Starts a search for each; resolves when all see a moving picture. */
export async function meet(all: readonly Person[]): Promise<void> {
  for (const { page } of all) await page.getByRole('button', { name: 'Start video chat' }).click()
  for (const person of all) await expectPicture(person)
}

export async function chat(from: Person, to: Person, text: string): Promise<void> {
  const box = from.page.getByRole('textbox', { name: 'Message' })
  await box.fill(text)
  await box.press('Enter')
  await to.page.getByRole('log', { name: 'Chat' }).getByText(text, { exact: true }).waitFor()
}

/** Resolves with the types of the candidates that carry the call: local and remote. */
export function candidateTypes({ page }: Person): Promise<string[]> {
  return page.evaluate(async () => {
    const live = (globalThis as Watched).connections.filter(({ connectionState }) => connectionState === 'connected')
    const reports = await Promise.all(live.map((connection) => connection.getStats()))
    return reports.flatMap((stats) => {
      const { selectedCandidatePairId } = [...stats.values()].find(({ type }) => type === 'transport') ?? {}
      const { localCandidateId, remoteCandidateId } = stats.get(selectedCandidatePairId) ?? {}
      return [stats.get(localCandidateId)?.candidateType, stats.get(remoteCandidateId)?.candidateType]
    })
  })
}

/** Both leave the call by closing their page. */
export async function leave(all: readonly Person[]): Promise<void> {
  for (const { context } of all) await context.close()
}
