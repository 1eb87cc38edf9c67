import { expect } from '@playwright/test'
import { expectLivePicture, type Person, startChat, test } from './people.ts'

test.use({ serverSettings: { EXPERIENCE_PERCENT: '100' } })

/** What this user's browser sends of what was felt, and the scripts that it loads. */
function watch({ context }: Person) {
  const sent: unknown[] = []
  const scripts: string[] = []
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/api/call/experience/add') sent.push(request.postDataJSON())
    if (pathname.endsWith('.js')) scripts.push(pathname)
  })
  return { sent, measures: () => scripts.some((path) => path.includes('page-experience')) }
}

test('what a call felt like is counted with consent, and without it nothing is loaded or sent', async ({
  arrive,
  server,
}) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')
  const [withConsent, without] = [watch(ada), watch(bela)]
  await ada.page.evaluate(() => localStorage.setItem('cookieChoice', 'all'))
  await bela.page.evaluate(() => localStorage.setItem('cookieChoice', 'necessary'))
  await startChat(ada)
  await expect(ada.page.getByText('Finding a partner...')).toBeVisible()
  expect(withConsent.measures()).toBe(false)
  await startChat(bela)
  for (const { page } of [ada, bela]) await expectLivePicture(page.getByLabel('Peer video'))

  await ada.page.goBack()
  await expect.poll(() => withConsent.sent.length).toBe(1)
  expect(withConsent.sent).toMatchObject([{ outcome: 'connected', browser: 'chrome' }])
  await expect(bela.page.getByText('Ada has left the chat.')).toBeVisible()
  await expect
    .poll(async () => (await (await fetch(`${server.url}/metrics`)).text()).split('\n'))
    .toContain('waggle_experience_matches_total{outcome="connected",browser="chrome",country="other"} 1')
  expect(without.sent).toEqual([])
  expect(without.measures()).toBe(false)
})
