import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { sizedList } from '../../scripts/test-limits.ts'
import { signIn } from '../support/servers/server.ts'
import { colourRules, inspect, runAxe } from './inspect.ts'
import { test } from './people.ts'

const phone = { width: 390, height: 844 }
const narrow = { width: 320, height: 640 }

/** A page without what `takeAway` removes before its own scripts run, and the paths of the API that it requests. */
async function pageWithout(browser: Browser, takeAway: () => void, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: phone, serviceWorkers: 'block', ...options })
  await context.addInitScript(takeAway)
  const requested: string[] = []
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) requested.push(pathname)
  })
  const page = await context.newPage()
  return { page, requested, [Symbol.asyncDispose]: () => context.close() }
}

/** Expects the message alone, readable at 320 px. */
async function expectMessage(page: Page, title: string, language = 'en'): Promise<void> {
  const main = page.getByRole('main')
  await expect(main).toHaveAttribute('lang', language)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(page.locator('#root')).toBeHidden()
  await expect(main).toHaveCSS('max-width', '608px')
  await page.setViewportSize(narrow)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(narrow.width)
}

/** Runs axe in both schemes. The messages have one template: one without buttons and one with buttons show its faults. */
async function expectAccessible(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [
    ['light', undefined],
    ['dark', colourRules],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    expect((await runAxe(page, rules)).violations).toEqual([])
  }
}

const withoutFloor = () => void Reflect.deleteProperty(CSS, 'registerProperty')
const withoutWebRtc = () => void Reflect.deleteProperty(globalThis, 'RTCPeerConnection')
const withoutCamera = () => void Reflect.deleteProperty(MediaDevices.prototype, 'getUserMedia')
const whole = () => {}

const lacks = [
  {
    name: 'modules',
    takeAway: () => void Reflect.deleteProperty(HTMLScriptElement.prototype, 'noModule'),
    en: 'This browser is too old for Waggle',
    es: 'Este navegador es demasiado antiguo para Waggle',
  },
  {
    name: 'an API of the oldest supported browsers',
    takeAway: withoutFloor,
    en: 'This browser is too old for Waggle',
    es: 'Este navegador es demasiado antiguo para Waggle',
  },
  {
    name: 'a unit of the oldest supported browsers',
    takeAway: () => {
      const { supports } = CSS
      CSS.supports = (...asked: string[]) => !asked.includes('1lh') && Reflect.apply(supports, CSS, asked)
    },
    en: 'This browser is too old for Waggle',
    es: 'Este navegador es demasiado antiguo para Waggle',
  },
  {
    name: 'WebRTC',
    takeAway: withoutWebRtc,
    en: 'This browser cannot make video calls',
    es: 'Este navegador no puede hacer videollamadas',
  },
  {
    name: 'the camera',
    takeAway: withoutCamera,
    en: 'This browser gives no access to a camera',
    es: 'Este navegador no da acceso a la cámara',
  },
  {
    name: 'cookies',
    takeAway: () => void Object.defineProperty(Navigator.prototype, 'cookieEnabled', { value: false }),
    en: 'Cookies are switched off',
    es: 'Las cookies están desactivadas',
  },
]

/** A missing sentence of the other language is found by the compiler. */
const inSpanish = sizedList(
  ['WebRTC'],
  lacks.map(({ name }) => name),
)

for (const { name, takeAway, en, es } of lacks) {
  test(`a browser without ${name} is told what to do, and no app is started`, async ({ browser, server }) => {
    await using visit = await pageWithout(browser, takeAway)
    const { page, requested } = visit
    await page.goto(server.url)
    await expectMessage(page, en)
    await expect(page.getByRole('heading')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Try again' })).toBeFocused()
    expect(requested).toEqual([])
    if (!inSpanish.includes(name)) return
    await expectAccessible(page)
    await page.context().addCookies([{ name: 'language', value: 'es', url: server.url }])
    await page.getByRole('link', { name: 'Try again' }).press('Enter')
    await expectMessage(page, es, 'es')
    expect(requested).toEqual([])
  })
}

test('a page over an insecure connection leads to the secure one', async ({ browser, server }) => {
  await using visit = await pageWithout(browser, whole, { locale: 'es-MX' })
  const { page } = visit
  const address = 'http://waggle.example/login?from=mail'
  await page.route('http://waggle.example/**', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: server.url + pathname + search }) })
  })
  await page.goto(address)
  await expectMessage(page, 'Esta página no se ha abierto con una conexión segura', 'es')
  const link = page.getByRole('link', { name: 'Abrir la página segura' })
  await expect(link).toHaveAttribute('href', address.replace('http:', 'https:'))
})

test('without JavaScript the page says so, in its language', async ({ browser, server }) => {
  const titles = { en: 'Waggle needs JavaScript', es: 'Waggle necesita JavaScript' }
  for (const [locale, title] of Object.entries(titles)) {
    const context = await browser.newContext({ javaScriptEnabled: false, locale, viewport: narrow })
    const page = await context.newPage()
    for (const path of ['/', '/login']) {
      await page.goto(server.url + path)
      await expect(page.getByRole('heading')).toHaveText(title)
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      await expect(page.locator('#root')).toBeHidden()
      await expect(page.getByRole('main')).toHaveCSS('max-width', '608px')
      await expect(page.getByRole('main').getByRole('link')).toHaveCount(2)
    }
    await context.close()
  }
})

const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/125.0.0.0 Mobile Safari/537.36'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'
const allApps = [
  { app: 'Facebook', userAgent: `${iphone} [FBAN/FBIOS;FBAV/450.0;FBDV/iPhone15,2]` },
  { app: 'Facebook', userAgent: `${android} [FB_IAB/FB4A;FBAV/450.0.0.0;]` },
  { app: 'Instagram', userAgent: `${iphone} Instagram 320.0.0 (iPhone15,2; iOS 17_4)` },
  { app: 'TikTok', userAgent: `${android} musical_ly_2023 BytedanceWebview/d8a21c6` },
  { app: 'Telegram', userAgent: `${android} Telegram-Android/11.3.3 (Google Pixel 8; Android 14; SDK 34; HIGH)` },
]

/** One app of each system, which differ in the way out. */
const apps = sizedList(
  allApps.filter(({ app, userAgent }) => app === 'Instagram' || userAgent.includes('FB_IAB')),
  allApps,
)

for (const { app, userAgent } of apps) {
  const system = userAgent.includes('Android') ? 'Android' : 'iOS'
  test(`inside of ${app} on ${system} the page offers to be opened in a browser, or to go on`, async ({
    browser,
    server,
  }) => {
    await using visit = await pageWithout(browser, whole, { userAgent, permissions: ['clipboard-read'] })
    const { page } = visit
    await page.goto(`${server.url}/login`)
    await expectMessage(page, 'Open Waggle in your browser')
    if (system === 'Android') await expectAccessible(page)
    const { host } = new URL(server.url)
    const open = page.getByRole('link', { name: 'Open in your browser' })
    if (system === 'iOS') await expect(open).toHaveCount(0)
    else {
      const target = `intent://${host}/login#Intent;scheme=http;action=android.intent.action.VIEW;end`
      await expect(open).toHaveAttribute('href', target)
    }
    await page.getByRole('button', { name: 'Copy the address' }).click()
    await expect(page.getByRole('status').filter({ visible: true })).toHaveText('The address is copied.')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/login`)
    await page.getByRole('button', { name: 'Go on here anyway' }).click()
    await expect(page.getByRole('heading', { name: 'Open Waggle in your browser' })).toHaveCount(0)
    // On Android the product's own app is offered first.
    const next = system === 'iOS' ? 'Sign in with Google' : 'Continue on Web'
    await expect(page.getByRole('button', { name: next })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: next })).toBeVisible()
  })
}

test('inside of an app without WebRTC there is no way to go on', async ({ browser, server }) => {
  const [{ userAgent } = {}] = apps
  await using visit = await pageWithout(browser, withoutWebRtc, { ...(userAgent && { userAgent }), locale: 'es' })
  const { page, requested } = visit
  await page.goto(server.url)
  await inspect(page, 'unsupported-in-app')
  await expectMessage(page, 'Abre Waggle en tu navegador', 'es')
  await expect(page.getByRole('button', { name: 'Copiar la dirección' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Seguir aquí de todos modos' })).toHaveCount(0)
  expect(requested).toEqual([])
})

const prerendered = ['/about', '/terms-of-service', '/privacy-notice', '/fb-data-deletion', '/report-content']

test('an old browser shows prerendered pages as they are, and the message on the other ones', async ({
  browser,
  server,
}) => {
  await using visit = await pageWithout(browser, withoutFloor)
  const { page, requested } = visit
  for (const path of sizedList(['/about', '/report-content'], prerendered)) {
    await page.goto(server.url + path)
    await expect(page.getByRole('article').getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('#unsupported')).toHaveCount(0)
  }
  expect(requested).toEqual([])
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expectMessage(page, 'This browser is too old for Waggle')
  await page.goto(`${server.url}/deletion-status/x`)
  await expectMessage(page, 'This browser is too old for Waggle')
})

test('a browser without WebRTC reads public pages, with everything that the script fills in', async ({
  browser,
  server,
}) => {
  await using visit = await pageWithout(browser, withoutWebRtc)
  const { page } = visit
  await page.goto(`${server.url}/about`)
  await expect(page.getByRole('contentinfo').getByRole('link', { name: /@/ })).toBeVisible()
  await expect(page.locator('#unsupported')).toHaveCount(0)
  await page.goto(`${server.url}/status`)
  await expect(page.getByText('Everything works.')).toBeVisible()
  await expect(page.locator('#unsupported')).toHaveCount(0)
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expectMessage(page, 'This browser cannot make video calls')
})

test('where the browser refuses storage, the product goes on without it', async ({ browser, server }) => {
  await using visit = await pageWithout(
    browser,
    () => {
      const refuse = () => {
        throw new DOMException('Refused', 'SecurityError')
      }
      for (const name of ['indexedDB', 'localStorage', 'sessionStorage'])
        Object.defineProperty(globalThis, name, { get: refuse })
    },
    { permissions: ['camera', 'microphone'] },
  )
  const { page } = visit
  await page.goto(server.url)
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  const { cookies } = await signIn({ origin: server.url }, { email: 'private@example.org', firstName: 'Ada' })
  await page
    .context()
    .addCookies([...cookies].map(([name, value]) => ({ name, value, url: server.url, httpOnly: true })))
  await page.goto(server.url)
  await expect(page.getByRole('button', { name: 'Start video chat' })).toBeEnabled()
})
