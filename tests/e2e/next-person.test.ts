import { expect, type Page, type Request } from '@playwright/test'
import { serveSdks } from '../support/fakes/fake-sdks.ts'
import { withProviders as test } from './providers.ts'

const adasPicture = 'https://lh3.googleusercontent.com/ada.png'
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const ada = { email: 'ada@example.org', name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace' }
const bob = { email: 'bob@example.org', name: 'Bob Noyce', first_name: 'Bob', last_name: 'Noyce' }

const google = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' })
const ownPictures = (page: Page) => page.locator('img[src^="blob:"]')

/** Signs in, fills the profile, and resolves with what was uploaded when the dashboard is there. */
async function signIn(page: Page, nickName: string): Promise<string> {
  const uploads = page.context().waitForEvent('request', (request: Request) => request.url().endsWith('/profile/add'))
  await google(page).click()
  await expect(page.getByLabel('Nickname')).toHaveValue('')
  await page.getByLabel('Nickname').fill(nickName)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  return (await uploads).postDataBuffer()?.toString('latin1') ?? ''
}

test('a picture is not passed on to the next person when a login has expired', async ({ page, context, site }) => {
  let person: typeof ada & { picture?: string } = { ...ada, picture: adasPicture }
  await context.route(adasPicture, (route) =>
    route.fulfill({ contentType: 'image/png', body: onePixel, headers: { 'access-control-allow-origin': '*' } }),
  )
  await serveSdks(
    context,
    () => 'granted',
    () => person,
  )
  await page.clock.install()
  await page.goto(site)
  expect(await signIn(page, 'Ada')).toContain('filename="profile.png"')
  await expect(ownPictures(page).first()).toBeVisible()

  await context.clearCookies({ name: 'access' })
  await context.clearCookies({ name: 'refresh' })
  await page.clock.fastForward('05:00')
  await expect(google(page)).toBeVisible()
  await expect(page.getByText('Ada')).toHaveCount(0)

  person = bob
  const upload = await signIn(page, 'Bob')
  expect(upload).toContain('bob@example.org')
  expect(upload).not.toContain('filename=')
  await page.getByRole('button', { name: /^Hi, Bob/ }).click()
  await expect(page.getByRole('region', { name: 'Profile' }).getByText('bob@example.org')).toBeVisible()
  await expect(ownPictures(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: /^Hi, Bob/ })).toBeVisible()
  await expect(ownPictures(page)).toHaveCount(0)
})
