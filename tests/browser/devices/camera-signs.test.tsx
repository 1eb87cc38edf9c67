import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { render } from '../../support/browser/render.tsx'

afterEach(() => vi.restoreAllMocks())

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const userAgents = {
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  safari: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/16.4 Safari/605.1.15`,
  iphone: `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${webKit} Version/17.4 Mobile/15E148 Safari/604.1`,
  'ios-app': `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${webKit} CriOS/125.0 Mobile/15E148 Safari/604.1`,
  samsung: 'Mozilla/5.0 (Linux; Android 10; K) SamsungBrowser/21.0 Chrome/110.0.0.0 Mobile Safari/537.36',
}

async function visit(userAgent: string, trouble: 'denied' | 'dismissed' | null) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(0)
  const fake = fakeStores(trouble ? { cameraRefused: true, trouble } : {})
  await fake.signIn()
  if (!trouble) fake.camera.open = () => new Promise(() => {})
  render(fake.stores, <DashboardPage />)
}

test.for([
  [userAgents.firefox, /^The crossed-out camera/, /remove the block/],
  [userAgents.safari, /^The settings for this website/, /Settings for This Website in the Safari menu/],
  [userAgents.iphone, /^The aA menu/, /Tap aA/],
  [userAgents['ios-app'], /in the Settings app/, /Open the Settings app/],
  [userAgents.samsung, /^Permissions behind the lock/, /Tap the lock/],
] as const)('%s shows where its user allows the camera again', async ([userAgent, picture, steps]) => {
  await visit(userAgent, 'denied')
  await expect.element(page.getByRole('img', { name: picture })).toBeVisible()
  await expect.element(page.getByText(steps)).toBeVisible()
})

test.for(Object.entries(userAgents))('the prompt of %s is drawn with its own word', async ([family, userAgent]) => {
  await visit(userAgent, null)
  await expect.element(page.getByRole('img', { name: /the answer Allow is marked/ })).toBeVisible()
  const ask =
    family === 'firefox' ? /Select Remember this decision, then Allow\./ : /required for chat\. Select Allow\.$/
  await expect.element(page.getByText(ask)).toBeVisible()
})

test('after a dismissed prompt the word to select is that of the browser', async () => {
  await visit(userAgents.iphone, 'dismissed')
  await expect.element(page.getByText('Try again, and select Allow.')).toBeVisible()
})
