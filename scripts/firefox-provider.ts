import { defineBrowserProvider } from '@vitest/browser'
import type { Browser, Page } from 'puppeteer-core'
import type { BrowserCommand, BrowserProvider, TestProject } from 'vitest/node'
import { firefoxPreferences } from './firefox.ts'
import { pathOf } from './programs.ts'

/**
 * Vitest's page uses several import maps. Firefox itself repeats a GET whose connection breaks off, which tests that
 * count requests would see. Its fake camera ignores constraints of the frame rate: at the default of 30 pictures a
 * second, coding the pictures takes most of the tests' processor time.
 */
const testPreferences = {
  'dom.multiple_import_maps.enabled': true,
  'network.http.request.max-attempts': 1,
  'media.navigator.video.default_fps': 15,
  'layout.frame_rate': 30,
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    __vitest_viewport(size: { width: number; height: number }): Promise<void>
    __vitest_cleanup(): Promise<void>
  }
}

/** Runs Vitest's browser tests in the installed Firefox, by WebDriver BiDi. Tests that use `cdp()` or `userEvent` need Chromium. */
export function installedFirefox() {
  return defineBrowserProvider({
    name: 'installed-firefox',
    providerFactory: (project) => new FirefoxProvider(project),
  })
}

const pageOf = (provider: BrowserProvider, sessionId: string) => (provider as FirefoxProvider).pageOf(sessionId)

const viewport: BrowserCommand<[{ width: number; height: number }]> = async ({ provider, sessionId }, size) => {
  await pageOf(provider, sessionId).setViewport(size)
}

async function launchFirefox(): Promise<Browser> {
  // Imported here, because builds load this file too.
  const { default: puppeteer } = await import('puppeteer-core')
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: pathOf('firefox-esr'),
    headless: true,
    extraPrefsFirefox: { ...firefoxPreferences, ...testPreferences },
  })
}

class FirefoxProvider implements BrowserProvider {
  readonly name = 'installed-firefox'
  /** False, because timers and animation frames are slower in a tab behind another tab. */
  readonly supportsParallelism = false
  private browser: Promise<Browser> | null = null
  private readonly pages = new Map<string, Page>()

  constructor(project: TestProject) {
    project.browser?.registerCommand('__vitest_viewport', viewport)
    project.browser?.registerCommand('__vitest_cleanup', async () => {})
  }

  getCommandsContext(): Record<string, unknown> {
    return {}
  }

  pageOf(sessionId: string): Page {
    const page = this.pages.get(sessionId)
    if (!page) throw new Error(`Firefox has no page of session ${sessionId}`)
    return page
  }

  async openPage(sessionId: string, url: string): Promise<void> {
    this.browser ??= launchFirefox()
    const browser = await this.browser
    await this.pages.get(sessionId)?.browserContext().close()
    // A context for each session, so that sessions share no storage.
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    this.pages.set(sessionId, page)
    await page.goto(url, { timeout: 0 })
  }

  async close(): Promise<void> {
    const browser = await this.browser
    this.browser = null
    this.pages.clear()
    await browser?.close()
  }
}
