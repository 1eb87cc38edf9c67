import { type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { sizedList } from '../../scripts/test-limits.ts'
import { test } from './people.ts'

const article = { path: '/about', heading: 'Quiénes somos' }
const pages = sizedList(
  [article],
  [
    article,
    { path: '/terms-of-service', heading: 'Términos y condiciones' },
    { path: '/privacy-notice', heading: 'Privacidad' },
    { path: '/fb-data-deletion', heading: 'Eliminación de datos' },
    { path: '/report-content', heading: 'Denunciar contenido' },
  ],
)

function faultsOf(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  return faults
}

const languageOf = (page: Page) =>
  page.evaluate(() => ({ lang: document.documentElement.lang, dir: document.documentElement.dir }))

const spanish: BrowserContextOptions = { locale: 'es-MX' }

for (const { path, heading } of pages) {
  test(`${path} is prerendered in Spanish for a Spanish browser, and the script keeps it without an error`, async ({
    browser,
    server,
  }) => {
    const context = await browser.newContext({ ...spanish, baseURL: server.url })
    const page = await context.newPage()
    const faults = faultsOf(page)
    const answer = await page.goto(path)
    const html = (await answer?.text()) ?? ''
    expect(html).toContain('<html lang="es" dir="ltr">')
    expect(html).toContain(`<title>${heading} · Waggle</title>`)
    expect(html).toContain('content="Conecta, explora, encuentra a tu gente.')
    expect(html).toContain(`>${heading}</h1>`)
    // The operator is filled in by the script.
    await expect(page.getByRole('contentinfo').getByRole('link', { name: /@/ })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    expect(await languageOf(page)).toEqual({ lang: 'es', dir: 'ltr' })
    expect(faults).toEqual([])
    await context.close()
  })
}

test('a Spanish browser gets Spanish, and a change to English survives a reload', async ({ browser, server }) => {
  const context = await browser.newContext({ ...spanish, baseURL: server.url })
  const page = await context.newPage()
  const faults = faultsOf(page)
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Iniciar sesión con Google' })).toBeVisible()
  await page.getByRole('link', { name: 'Quiénes somos' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quiénes somos')
  const loaded = await page.evaluate(() => performance.getEntriesByType('navigation').length)
  const menu = page.getByRole('combobox', { name: 'Idioma' })
  await menu.focus()
  await menu.selectOption({ label: 'English' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About us')
  await expect(page.getByRole('combobox', { name: 'Language' })).toBeFocused()
  expect(await languageOf(page)).toEqual({ lang: 'en', dir: 'ltr' })
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(loaded)
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'language')
  expect(cookie).toMatchObject({ value: 'en', httpOnly: false, sameSite: 'Lax', path: '/' })
  const again = await page.reload()
  expect(await again?.text()).toContain('<html lang="en" dir="ltr">')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About us')
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  expect(faults).toEqual([])
  await context.close()
})

test('only the texts of the shown screens and language are loaded', async ({ browser, server }) => {
  const context = await browser.newContext({ ...spanish, baseURL: server.url, serviceWorkers: 'block' })
  const page = await context.newPage()
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    if (/\/assets\/(?:first|(?:member-)?texts-\w+|about|terms)-[\w-]+\.js$/.test(response.url()))
      bodies.push(response.text())
  })
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Iniciar sesión con Google' })).toBeVisible()
  const texts = await Promise.all(bodies)
  expect(texts.some((text) => text.includes('Síguenos'))).toBe(true)
  expect(texts.some((text) => text.includes('Follow us') || text.includes('Server is taking a break'))).toBe(false)
  expect(texts.some((text) => text.includes('discurso de odio'))).toBe(false)
  await context.close()
})

test('a cookie selects the mirrored pseudo-language, which the menu does not offer, and a choice ends it', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'en-US',
    viewport: { width: 320, height: 640 },
  })
  const page = await context.newPage()
  const faults = faultsOf(page)
  await context.addCookies([{ name: 'language', value: 'en-XB', url: server.url }])
  const answer = await page.goto('/about')
  expect(await answer?.text()).toContain('<html lang="en-XB" dir="rtl">')
  await expect(page.getByRole('contentinfo').getByRole('link', { name: /@/ })).toBeVisible()
  await expect(page).toHaveURL(/\/about$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ábóóúút')
  const menu = page.getByRole('contentinfo').getByRole('combobox')
  await expect(menu.getByRole('option')).toHaveText(['English', 'Español'])
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBe(320)
  await page.reload()
  expect(await languageOf(page)).toEqual({ lang: 'en-XB', dir: 'rtl' })
  await page.goto('/')
  await expect(page.getByRole('button', { name: /Google|Góó/ })).toBeVisible()
  expect(await width()).toBe(320)
  await page.getByRole('contentinfo').getByRole('combobox').selectOption({ label: 'Español' })
  await expect(page.getByRole('button', { name: 'Iniciar sesión con Google' })).toBeVisible()
  expect(await languageOf(page)).toEqual({ lang: 'es', dir: 'ltr' })
  expect(faults).toEqual([])
  await context.close()
})

test('without a network the product starts in the language that was chosen last', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-US' })
  const page = await context.newPage()
  await page.goto('/about')
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Español' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quiénes somos')
  await context.setOffline(true)
  await page.goto('/terms-of-service')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Términos y condiciones')
  await expect(page.getByText('No tienes conexión.')).toBeVisible()
  expect(await languageOf(page)).toEqual({ lang: 'es', dir: 'ltr' })
  await context.close()
})

test('a page whose files are gone from the server offers a reload, and keeps what was typed', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-US', serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto('/report-content')
  const link = page.getByLabel('Link', { exact: false }).first()
  await link.fill('https://example.org/typed')
  await context.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
  await context.route(`${server.url}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-newer.js"></script>' }),
  )
  const menu = page.getByRole('contentinfo').getByRole('combobox')
  await menu.selectOption({ label: 'Español' })
  await expect(page.getByText('Waggle has a newer version.')).toBeVisible()
  await expect(link).toHaveValue('https://example.org/typed')
  await context.unrouteAll()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  await context.close()
})
