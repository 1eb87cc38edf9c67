import { expect } from '@playwright/test'
import type { Browser } from 'puppeteer-core'
import { keepConnections } from '../support/browser/keep-connections.ts'
import { type Cookie, type FirefoxPage, launchFirefox, openPage, type Preferences } from './firefox.ts'
import { test as base } from './hub-network.ts'
import { cookiesOf, expectPlaying, type Person, type Picture, readPicture } from './people.ts'

/** A user of either browser, and what the journeys do there. */
export type Somebody = {
  nickName: string
  press(button: string): Promise<void>
  say(text: string): Promise<void>
  /** The text that the page shows. */
  text(): Promise<string>
  path(): string
  /** What the video of this label shows. */
  look(video: string): Promise<Picture>
  /** Runs a function in the page. */
  evaluate<T>(run: () => T | Promise<T>): Promise<T>
}

type Fixtures = {
  /** A page of Firefox with these cookies, which a private window does not get. */
  openFirefox: (cookies?: Cookie[], preferences?: Preferences) => Promise<FirefoxPage>
  /** A user of Firefox, signed in over the API, on the dashboard. */
  arriveInFirefox: (nickName: string) => Promise<Somebody>
  /** The same in Chromium. */
  arriveInChromium: (nickName: string) => Promise<Somebody>
}

let people = 0

/** Like `test` of hub-network.ts, with users in Firefox. Of two who have not met, the one who starts last is the Caller. */
export const test = base.extend<Fixtures>({
  serverSettings: ({ browserName: _ }, use) => use({ NODE_OPTIONS: '--import=data:text/javascript,Math.random=()=>0' }),
  openFirefox: async ({ browserName: _ }, use) => {
    const faults: string[] = []
    const browsers: Browser[] = []
    await use(async (cookies = [], preferences = {}) => {
      const browser = await launchFirefox(preferences)
      browsers.push(browser)
      return openPage(browser, cookies, faults)
    })
    for (const browser of browsers) await browser.close()
    expect(faults).toEqual([])
  },
  arriveInFirefox: async ({ openFirefox, server }, use) => {
    await use(async (nickName) => {
      people += 1
      const page = await openFirefox(await cookiesOf(server.url, `fox${people}@example.org`, nickName))
      await page.open(server.url)
      await expect.poll(page.text).toContain('Start video chat')
      return { ...page, nickName }
    })
  },
  arriveInChromium: async ({ arrive }, use) => {
    await use(async (nickName) => {
      const person = await arrive(nickName)
      await person.context.addInitScript(keepConnections)
      await person.page.reload()
      await expect(person.page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
      return inChromium(person)
    })
  },
})

function inChromium({ page, nickName }: Person): Somebody {
  return {
    nickName,
    press: (button) => page.getByRole('button', { name: button, exact: true }).click(),
    async say(text) {
      await page.getByLabel('Message').fill(text)
      await page.getByLabel('Message').press('Enter')
    },
    // biome-ignore lint/performance/useDomNodeTextContent: only what is shown counts.
    text: () => page.innerText('body'),
    path: () => new URL(page.url()).pathname,
    look: (video) => page.getByLabel(video).evaluate(readPicture),
    evaluate: (run) => page.evaluate(run),
  }
}

/** Puts both into the queue, the Callee first, and expects that each sees itself and the peer. */
export async function meet(callee: Somebody, caller: Somebody): Promise<void> {
  await callee.press('Start video chat')
  await expectText(callee, 'You are the only one here right now.')
  await caller.press('Start video chat')
  for (const somebody of [callee, caller]) await expectCall(somebody)
}

export async function expectCall({ look, path }: Somebody): Promise<void> {
  await expect.poll(path).toBe('/chat')
  for (const video of ['Peer video', 'My video']) await expectPlaying(() => look(video))
}

export async function expectText({ text }: Pick<Somebody, 'text'>, expected: string): Promise<void> {
  await expect.poll(text).toContain(expected)
}
