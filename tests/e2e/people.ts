import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test'
import { translate } from '../support/browser/translate.ts'
import { signIn } from '../support/servers/server.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { messagesOf, openFirst, type Profile, Profiles } from './profiles.ts'
import { type Settings, SharedBySettings } from './shared-by-settings.ts'

/** One user with a browser profile of their own. */
export type Person = { page: Page; context: BrowserContext; nickName: string }

type Fixtures = {
  /** Whether the users' pages install the service worker. It would load the whole product again for each of them. */
  withServiceWorker: boolean
  /** Whether the browser translates the pages. */
  isTranslated: boolean
  /** What the test's server has besides `shortWaits` and `operatorLinks`. */
  serverSettings: Settings
  server: ServerProcess
  /** A user with a profile, signed in over the API or through the pages, on the dashboard. */
  arrive: (nickName: string, way?: 'api' | 'pages') => Promise<Person>
}

/** A match whose call takes longer than 20 s to set up is given up by default, and a slow machine takes longer. */
export const slowSetup = { MATCH_TIMEOUT_MS: '600000' }

/**
 * Shorter than the default of ten seconds each, which the unit tests of the call machine and of the queue check. Two users who have met
 * are matched again if nobody else searches.
 */
const shortWaits = {
  NEXT_WAIT_SECONDS: '1',
  UNDERSTOOD_WAIT_SECONDS: '2',
  MATCH_RELAX_AFTER_MS: '100',
  ...slowSetup,
}

/** Everything that public pages can link to. */
export const operatorLinks: Readonly<Record<string, string>> = {
  CONTACT_EMAIL: 'help@example.org',
  STORE_URL: 'https://store.example/waggle',
  SOCIAL_LINKEDIN: 'https://linkedin.example',
  SOCIAL_TWITTER: 'https://twitter.example',
  SOCIAL_INSTAGRAM: 'https://instagram.example',
  SOCIAL_FACEBOOK: 'https://facebook.example',
  SOCIAL_WHATSAPP: 'https://whatsapp.example',
  SOCIAL_SNAPCHAT: 'https://snapchat.example',
  SOCIAL_YOUTUBE: 'https://youtube.example',
  SOCIAL_TIKTOK: 'https://tiktok.example',
}

/** Of the brightest pixel of a fake camera's picture, above which it is not black. */
const BRIGHT = 60

/** Polling intervals in milliseconds for values that change with every frame. */
const often = { intervals: [100, 200] }

let people = 0

type WorkerFixtures = {
  servers: SharedBySettings<ServerProcess>
  profiles: Profiles
}

/** Files whose fixtures of scope `worker` differ share no worker: each such set starts a browser, a server and a loaded product more. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  withServiceWorker: [false, { option: true }],
  isTranslated: [false, { option: true }],
  serverSettings: [{}, { option: true }],
  servers: [
    async ({ browserName: _ }, use) => {
      const servers = new SharedBySettings(startStrictly)
      await use(servers)
      await servers.stop()
    },
    { scope: 'worker' },
  ],
  server: async ({ servers, serverSettings }, use) => use(await servers.with(serverSettings)),
  baseURL: async ({ server }, use) => use(server.url),
  page: async ({ page, isTranslated }, use) => {
    if (isTranslated) await page.addInitScript(translate)
    await use(page)
  },
  profiles: [async ({ browser }, use) => use(new Profiles(browser)), { scope: 'worker' }],
  arrive: async ({ server, viewport, permissions, withServiceWorker, isTranslated, profiles }, use, testInfo) => {
    const taken: Profile[] = []
    await use(async (nickName, way = 'api') => {
      const isNewBrowser = way === 'pages'
      const profile = await profiles.take(
        { viewport, permissions: permissions ?? [], baseURL: server.url },
        { isNewBrowser, withServiceWorker, isTranslated },
      )
      taken.push(profile)
      const { context, page } = profile
      people += 1
      const email = `person${people}@example.org`
      if (way === 'api') {
        await context.addCookies(await cookiesOf(server.url, email, nickName))
        await openFirst(page)
      } else await signInThroughPages(page, email, nickName)
      await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
      return { page, context, nickName }
    })
    if (testInfo.errors.length > 0)
      for (const profile of taken) await testInfo.attach('screens and messages', { body: await messagesOf(profile) })
    const faults: string[] = []
    for (const profile of taken) faults.push(...(await profiles.give(profile)))
    expect(faults).toEqual([])
  },
})

async function startStrictly(settings: Settings): Promise<ServerProcess> {
  const server = await startServerProcess({ ...shortWaits, ...operatorLinks, ...settings })
  return {
    ...server,
    async stop() {
      const code = await server.stop()
      expect(code).toBe(0)
      return code
    },
  }
}

/** The cookies of a user who has just signed in and filled the profile, with the attributes that the server gives them. */
export async function cookiesOf(origin: string, email: string, firstName: string) {
  const { cookies } = await signIn({ origin }, { email, firstName })
  const { hostname: domain } = new URL(origin)
  return [...cookies].map(([name, value]) => {
    return { name, value, domain, path: '/', httpOnly: true, sameSite: 'Lax' as const }
  })
}

/** Signs in through the development identity, fills the profile and accepts the guidelines. */
async function signInThroughPages(page: Page, email: string, nickName: string): Promise<void> {
  await page.goto('/')
  await signInWithGoogle(page, email, nickName)
  await confirmProfile(page, nickName)
}

/** Signs in through the development identity; the welcome screen is next. */
export async function signInWithGoogle(page: Page, email: string, firstName: string): Promise<void> {
  const popupOpens = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  const popup = await popupOpens
  await popup.getByLabel('E-mail').fill(email)
  await popup.getByLabel('First name').fill(firstName)
  await popup.getByLabel('Last name').fill('Tester')
  await popup.getByRole('button', { name: 'Continue' }).click()
}

/** Fills the profile on the welcome screen and accepts the guidelines. */
export async function confirmProfile(page: Page, nickName: string): Promise<void> {
  await page.getByLabel('Nickname').fill(nickName)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Accept' }).click()
}

export async function startChat({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Start video chat' }).click()
}

/** What a video shows: how far it has played, and its brightest pixel of 0 to 255. */
export type Picture = { time: number; frames: number; brightest: number }

/** Runs in the page. */
export function readPicture(video: HTMLVideoElement): Picture {
  const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 32 })
  const context = canvas.getContext('2d')
  context?.drawImage(video, 0, 0, 32, 32)
  const pixels = context?.getImageData(0, 0, 32, 32).data ?? []
  return {
    time: video.currentTime,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
    brightest: Math.max(...pixels.filter((_, index) => index % 4 !== 3)),
  }
}

/** Expects that the video plays: its time advances, frames are decoded, and the picture is not black. */
export async function expectLivePicture(video: Locator): Promise<void> {
  await expect(video).toBeVisible()
  await expectPlaying(() => video.evaluate(readPicture))
}

export async function expectPlaying(look: () => Promise<Picture>): Promise<void> {
  await expect.poll(async () => (await look()).brightest, often).toBeGreaterThan(BRIGHT)
  const first = await look()
  await expect.poll(async () => (await look()).time, often).toBeGreaterThan(first.time)
  await expect.poll(async () => (await look()).frames, often).toBeGreaterThan(first.frames)
}

export async function expectBlack(look: () => Promise<Picture>): Promise<void> {
  await expect.poll(async () => (await look()).brightest, often).toBeLessThan(BRIGHT)
}

export async function say({ page }: Person, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill(text)
  await box.press('Enter')
}

export function chatOf({ page }: Person): Locator {
  return page.getByRole('log', { name: 'Chat' })
}
