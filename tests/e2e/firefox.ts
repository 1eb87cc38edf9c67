import { type Browser, type ElementHandle, launch, type Page } from 'puppeteer-core'
import { firefoxPreferences } from '../../scripts/firefox.ts'
import { pathOf } from '../../scripts/programs.ts'
import { WAIT_MS } from '../../scripts/test-limits.ts'
import { keepConnections, type Watched } from '../support/browser/keep-connections.ts'
import type { Picture } from './people.ts'

/** A page of stock Firefox, with a profile of its own, and what the journeys do in it. */
export type FirefoxPage = Awaited<ReturnType<typeof openPage>>

/** A slow camera, as in playwright.config.ts. Half a dozen processes share two cores. */
const CHEAP_PICTURES = { 'media.navigator.video.default_fps': 5, 'layout.frame_rate': 20 }

export const PRIVATE_WINDOWS = { 'browser.privatebrowsing.autostart': true }
/** What a page reads from a canvas is noise. */
export const CANVAS_NOISE = { 'privacy.resistFingerprinting': true }

export type Preferences = Readonly<Record<string, boolean>>

/** Starts Firefox without a window on the screen. Each user needs a process: of two tabs of one, Firefox slows the one behind down. */
export function launchFirefox(preferences: Preferences): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: pathOf('firefox-esr'),
    headless: true,
    extraPrefsFirefox: { ...firefoxPreferences, ...CHEAP_PICTURES, ...preferences },
    defaultViewport: { width: 1024, height: 600 },
  })
}

export type Cookie = { name: string; value: string; domain: string; path: string; httpOnly: boolean; sameSite: 'Lax' }

/** Opens an empty page without the cookies and the storage of earlier ones. Errors on its console are added to `faults`. */
export async function openPage(browser: Browser, cookies: Cookie[], faults: string[]) {
  const context = await browser.createBrowserContext()
  await context.setCookie(...cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  watchFaults(page, faults)
  await page.evaluateOnNewDocument(keepConnections)
  await page.evaluateOnNewDocument(reportViolations)
  await page.evaluateOnNewDocument(writeErrorsOut)
  const button = (name: string) => page.locator(`aria/${name}[role="button"]`)
  const field = (label: string) => page.locator(`aria/${label}[role="textbox"]`)

  async function findVideo(label: string): Promise<ElementHandle<HTMLVideoElement>> {
    const element = await page.waitForSelector(`video[aria-label="${label}"]`)
    if (!element) throw new Error(`There is no ${label}`)
    return element as ElementHandle<HTMLVideoElement>
  }

  return {
    open: (url: string) => page.goto(url),
    reload: () => page.reload(),
    press: (name: string) => button(name).click(),
    fill: (label: string, text: string) => field(label).fill(text),
    async say(text: string) {
      await field('Message').fill(text)
      await page.keyboard.press('Enter')
    },
    /** Clicks a button that opens a window. Resolves with the window's page. */
    async pressForWindow(name: string): Promise<Page> {
      const opened = new Promise<Page | null>((resolve) => page.once('popup', resolve))
      await button(name).click()
      const popup = await opened
      if (!popup) throw new Error('The window has no page')
      watchFaults(popup, faults)
      return popup
    },
    // biome-ignore lint/performance/useDomNodeTextContent: only what is shown counts.
    text: () => page.evaluate(() => document.body.innerText),
    path: () => new URL(page.url()).pathname,
    /** The address of a page changes before the page is drawn. */
    async look(video: string): Promise<Picture> {
      const shown = await (await findVideo(video)).evaluate(readShown)
      return { ...shown, frames: await page.evaluate(countFrames) }
    },
    /**
     * The own picture outside a call. The dashboard closes connections that it has prepared, and Firefox never answers `getStats` of a
     * connection that is closed meanwhile.
     */
    async lookAtCamera(): Promise<Picture> {
      const shown = await (await findVideo('My video')).evaluate(readShown)
      return { ...shown, frames: performance.now() }
    },
    evaluate: <T>(run: () => T | Promise<T>): Promise<T> => page.evaluate(run),
  }
}

/** What Firefox writes when a page that is left cancels a face which its service worker is about to answer. */
const CANCELLED_FACE = /\/faces\/.*A ServiceWorker intercepted the request and encountered an unexpected error/

function watchFaults(page: Page, faults: string[]): void {
  const note = (text: string) => {
    if (!CANCELLED_FACE.test(text)) faults.push(text)
  }
  page.on('pageerror', (error) => note(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') note(message.text())
  })
}

/** Runs in the page before its scripts. */
function reportViolations(): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
    console.error(`Security policy: ${effectiveDirective} refused ${blockedURI} ${sample}`)
  })
}

/** Runs in the page before its scripts. An error on the console reaches a test as its text with the stack. */
function writeErrorsOut(): void {
  const { error } = console
  console.error = (...args: unknown[]) =>
    error(...args.map((arg) => (arg instanceof Error ? `${arg.name}: ${arg.message}\n${arg.stack}` : arg)))
}

/** Like `readPicture` of people.ts, which runs in Chromium, without frames. Runs in the page. */
function readShown(video: HTMLVideoElement): Omit<Picture, 'frames'> {
  const context = new OffscreenCanvas(32, 32).getContext('2d')
  context?.drawImage(video, 0, 0, 32, 32)
  const pixels = context?.getImageData(0, 0, 32, 32).data ?? []
  return { time: video.currentTime, brightest: Math.max(...pixels.filter((_, index) => index % 4 !== 3)) }
}

/** Firefox counts no frames of a live stream, so the decoded ones of the peer connections are counted. Runs in the page. */
async function countFrames(): Promise<number> {
  const { connections } = globalThis as Watched
  const reports = await Promise.all(connections.map((connection) => connection.getStats()))
  const entries = reports.flatMap((report) => [...report.values()])
  return entries.reduce((sum, entry) => sum + (entry.framesDecoded ?? 0), 0)
}
