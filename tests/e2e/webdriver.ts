import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { freePort } from '../../scripts/free-port.ts'
import { pathOf } from '../../scripts/programs.ts'
import { WAIT_MS } from '../../scripts/test-limits.ts'

const often = { intervals: [50, 100] }
/** A click is made at most so often, */
const CLICKS_MAX = 3
/** each after so long without its event. */
const CLICK_MS = 2_000

/** Starts an X server without a screen. Resolves with its display. */
async function startDisplay(): Promise<{ xvfb: ChildProcess; display: string }> {
  const args = ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp']
  const xvfb = spawn(pathOf('xvfb'), args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const [number] = await once(xvfb.stdio[3] as NodeJS.ReadableStream, 'data')
  return { xvfb, display: `:${String(number).trim()}` }
}

/** Returns a folder of settings in which nothing moves: without a graphics processor a third of the processor time goes into that. */
function settingsWithoutMotion(): string {
  const folder = mkdtempSync(join(tmpdir(), 'webkit-'))
  mkdirSync(join(folder, 'gtk-3.0'))
  writeFileSync(join(folder, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
  return folder
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  if (child.exitCode === null && child.kill()) await ended
}

/** Finds the first visible element with this selector whose name starts so; while a dialog is open, in it alone. */
function find(selector: string, name: string): Element | null {
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ?? ((element as HTMLInputElement).labels?.[0] ?? element).textContent ?? ''
  const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
  const shown = [...root.querySelectorAll(selector)].filter((one) => one.checkVisibility({ visibilityProperty: true }))
  return shown.find((element) => nameOf(element).trim().startsWith(name)) ?? null
}

/** Runs in the page. A click that loads another page leaves no count. */
function countClicks(): void {
  const counted = document as Document & { clicks?: number }
  if (counted.clicks !== undefined) return
  counted.clicks = 0
  document.addEventListener(
    'click',
    () => {
      counted.clicks = (counted.clicks ?? 0) + 1
    },
    true,
  )
}

/**
 * Opens a window of WebKitGTK's MiniBrowser, driven by the few commands of W3C WebDriver that the tests need.
 * `args` are options of MiniBrowser. `blank` is a small page of the tested origin, with the opener policy of its pages.
 */
export async function startWebKit(blank: string, args: readonly string[]) {
  const { xvfb, display } = await startDisplay()
  const port = await freePort()
  const settings = settingsWithoutMotion()
  const env = { ...process.env, DISPLAY: display, XDG_CONFIG_HOME: settings }
  const driver = spawn(pathOf('webkit2gtk-driver'), [`--port=${port}`], { env, stdio: 'ignore' })
  // After a start that failed, and where the runner ends this process.
  const kill = () => [driver, xvfb].map((child) => child.kill())
  process.once('exit', kill)

  async function request<Result>(method: string, path: string, body?: object): Promise<Result> {
    const signal = AbortSignal.timeout(WAIT_MS)
    const init = { method, signal, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } }
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`)
    return value
  }

  const status = () => request<{ ready: boolean }>('GET', '/status')
  const isReady = async () => (await status().catch(() => ({ ready: false }))).ready
  await expect.poll(isReady, often).toBe(true)
  const browserOptions = { args: ['--automation', '--javascript-can-open-windows-automatically=true', ...args] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browserOptions } }
  const { sessionId } = await request<{ sessionId: string }>('POST', '/session', { capabilities })
  const session = `/session/${sessionId}`
  const post = <Result>(path: string, body: object = {}) => request<Result>('POST', `${session}${path}`, body)
  const windows = () => request<string[]>('GET', `${session}/window/handles`)

  /** Runs a script in the page, in spite of its Content-Security-Policy. Resolves with what it returns. */
  const run = <Result>(script: string, ...given: unknown[]) => post<Result>('/execute/sync', { script, args: given })

  /** Runs the function in the page. */
  const evaluate = <Args extends unknown[], Result>(task: (...args: Args) => Result, ...given: Args) =>
    run<Awaited<Result>>(`return (${task})(...arguments)`, ...given)

  /** Resolves with the path of the element, once it is there. */
  async function elementAt(selector: string, name: string): Promise<string> {
    const look = async () =>
      Object.values((await run<object | null>(`return (${find})(...arguments)`, selector, name)) ?? {})
    await expect
      .poll(look, often)
      .toHaveLength(1)
      .catch(async (cause: unknown) => {
        const shown = await run<string>(
          `return [location.pathname, document.body.innerText, localStorage.getItem('faults')].join('\\n')`,
        )
        throw new Error(`No ${selector} "${name}" in ${shown}`, { cause })
      })
    return `/element/${(await look())[0]}`
  }

  /** The driver loses a click now and then, of which no event reaches the page: such a one is made again. */
  async function click(selector: string, name: string): Promise<void> {
    const element = await elementAt(selector, name)
    await evaluate(countClicks)
    const clicks = () => run<number | null>('return document.clicks ?? null')
    const before = await clicks()
    for (let times = 0; times < CLICKS_MAX; times += 1) {
      await post(`${element}/click`)
      try {
        await expect.poll(clicks, { ...often, timeout: CLICK_MS }).not.toBe(before)
        return
      } catch {
        console.log(`WebKitGTK's driver lost a click on ${selector} "${name}"`)
      }
    }
    throw new Error(`No click on ${selector} "${name}" reached the page`)
  }

  await post('/url', { url: blank })
  // The toolbar of a common window makes it at least 447 pixels wide.
  const [first] = await windows()
  await run(`open('${blank}', '', 'width=390,height=844,toolbar=no,location=no,menubar=no')`)
  const opened = async () => (await windows()).filter((each) => each !== first)
  await expect.poll(opened, often).toHaveLength(1)
  await post('/window', { handle: (await opened())[0] })
  return {
    run,
    evaluate,
    goto: (url: string) => post('/url', { url }),
    resize: (width: number, height: number) => post('/window/rect', { width, height }),
    seen: (selector: string, name: string) => elementAt(selector, name),
    click,
    /** Replaces the text of a field. */
    async fill(label: string, text: string): Promise<void> {
      const field = await elementAt('input, textarea', label)
      await post(`${field}/clear`)
      await post(`${field}/value`, { text })
    },
    addCookie: (cookie: { name: string; value: string; httpOnly: boolean }) => post('/cookie', { cookie }),
    deleteCookies: () => request('DELETE', `${session}/cookie`),
    screenshot: async () => Buffer.from(await request<string>('GET', `${session}/screenshot`), 'base64'),
    async stop(): Promise<void> {
      // The driver has no session any more if the browser has crashed.
      await request('DELETE', session).catch(() => {})
      for (const child of [driver, xvfb]) await end(child)
      process.off('exit', kill)
      rmSync(settings, { recursive: true, force: true })
    },
  }
}
