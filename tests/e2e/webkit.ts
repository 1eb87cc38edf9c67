import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { startServer, type Visitor } from '../support/servers/server.ts'
import { atRest, layoutFaults } from './inspect.ts'
import { startWebKit } from './webdriver.ts'

const sizes = [
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

/** Runs before every other script of a page: WebDriver tells neither errors nor violations. */
function watchFaults(): void {
  const add = (fault: string) => {
    const faults = JSON.parse(localStorage.getItem('faults') ?? '[]')
    localStorage.setItem('faults', JSON.stringify([...faults, `${location.pathname}: ${fault}`]))
  }
  addEventListener('unhandledrejection', ({ reason }) => add(`rejection: ${reason}`))
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    add(`security policy: ${effectiveDirective} refused ${blockedURI} ${sample}`),
  )
  const onError = ({ message, target }: ErrorEvent) =>
    add(target instanceof Element ? `not loaded: ${target.outerHTML.slice(0, 200)}` : `error: ${message}`)
  addEventListener('error', onError, true)
  const { error } = console
  console.error = (...given: unknown[]) => {
    add(`console: ${given.join(' ')}`)
    error(...given)
  }
  // WebKitGTK is built without WebRTC. Calls are not tested with it; this stands for a browser that has WebRTC and opens no connection.
  const withoutCodecs = { getCapabilities: () => null }
  const refuses = class extends EventTarget {
    constructor() {
      super()
      throw new DOMException('There is no WebRTC', 'NotSupportedError')
    }
  }
  Object.assign(globalThis, {
    isWatched: true,
    RTCPeerConnection: refuses,
    RTCRtpReceiver: withoutCodecs,
    RTCRtpSender: withoutCodecs,
  })
  // Keeps the splash screen: no request of the start is answered.
  if (localStorage.getItem('silent-workers') !== null)
    globalThis.Worker = class extends EventTarget {
      postMessage() {}
      terminate() {}
    } as unknown as typeof Worker
}

/** A server of the built product, whose pages tell their faults. */
export async function startWatchedServer() {
  const dist = mkdtempSync(join(tmpdir(), 'waggle-dist-'))
  cpSync('dist', dist, { recursive: true })
  for (const page of globSync(join(dist, '.pages/*/*.html'))) {
    const html = readFileSync(page, 'utf8')
    writeFileSync(
      page,
      html.replace('<head>', () => `<head><script>(${watchFaults})()</script>`),
    )
  }
  const server = await startServer({}, { dist })
  return {
    ...server,
    url: (path: string) => `http://localhost:${server.port}${path}`,
    async stop() {
      await server.stop()
      rmSync(dist, { recursive: true, force: true })
    },
  }
}

export type WatchedServer = Awaited<ReturnType<typeof startWatchedServer>>
export type WebKit = Awaited<ReturnType<typeof openWebKit>>

/** Opens WebKit on this server. `args` are options of MiniBrowser. */
export async function openWebKit({ url }: WatchedServer, args: readonly string[] = []) {
  // Has the opener policy of the product's pages, and no script.
  const window = await startWebKit(url('/robots.txt'), args)

  return {
    ...window,
    open: (path: string) => window.goto(url(path)),
    /** Signs this visitor in, in place of the one before. */
    async become({ cookies }: Visitor): Promise<void> {
      await window.deleteCookies()
      for (const [name, value] of cookies) await window.addCookie({ name, value, httpOnly: true })
    },
    /**
     * Expects the heading, every picture, no text cut off and no overflow at both sizes; no error and no violation of the security
     * policy until now. What axe finds does not differ between engines: screens.test.ts runs it.
     */
    async inspect(heading: string): Promise<void> {
      const found: string[] = []
      for (const { width, height } of sizes) {
        await window.resize(width, height)
        await window.seen('h1, h2, h3', heading)
        await window.evaluate(atRest)
        expect(await window.run('return [innerWidth, innerHeight, isWatched]')).toEqual([width, height, true])
        for (const part of [layoutFaults, missingPictures])
          found.push(...(await window.evaluate(part)).map((fault) => `${heading} at ${width}: ${fault}`))
      }
      found.push(...(await window.evaluate(takeFaults)))
      expect(found).toEqual([])
    },
  }
}

function missingPictures(): string[] {
  const isMissing = ({ complete, naturalWidth }: HTMLImageElement) => complete && naturalWidth === 0
  return [...document.images].filter(isMissing).map((image) => `missing: ${image.outerHTML.slice(0, 200)}`)
}

function takeFaults(): string[] {
  const faults = JSON.parse(localStorage.getItem('faults') ?? '[]')
  localStorage.removeItem('faults')
  return faults
}
