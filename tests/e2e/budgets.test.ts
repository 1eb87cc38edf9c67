import { expect, type Page } from '@playwright/test'
import { overBudget } from '../support/browser/budget.ts'
import { recordWorkerMessages } from '../support/browser/worker-messages.ts'
import { chatOf, expectLivePicture, say, startChat, test } from './people.ts'

/** Requests of a screen from its beginning to the next screen. */
const budgets = {
  start: {
    'GET /api/start/get': 1,
    'POST /api/user/session/add': 1,
    'GET /api/ip/get': 1,
    'POST /api/user/ip/add': 1,
  },
  match: {
    'GET /api/user/matched-email-ids/get': 1,
    'GET /api/user/block/list': 1,
    'GET /api/users/block/get': 1,
    'GET /api/turn': 1,
    // The negotiation and the socket share it.
    'GET /api/auth/hub-access-token/get': 1,
    'POST /chathub/negotiate': 1,
    'GET /api/match/picture/get': 1,
    'POST /api/call/connection/add': 1,
  },
  chat: {},
  return: {
    'GET /api/user/data/deletion/get': 1,
    'GET /api/auth/access-token/get': 1,
    'GET /api/cookie/refresh-token/get': 1,
    'GET /api/users/block/get': 1,
  },
} as const
/** They repeat in time, so that a slow machine sends more of them. */
const repeated = new Set(['GET /api/users/online/get', 'POST /api/user/video-frame/add'])

/** Messages to workers during the chat: the first line joins the workers. */
const chatMessages = {
  'network-early connectMedia': 1,
  'media connectNetwork': 1,
  'media encodeChat': 3,
  'media decodeChat': 2,
}
/** It repeats in time. */
const repeatedMessage = 'media readPicture'

type Recorded = { workerMessages: string[] }

function takeMessages(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as Recorded).workerMessages.splice(0))
}

test('each screen sends the requests of its budget, and a chat line one message to a worker', async ({ arrive }) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')
  await ada.context.addInitScript(recordWorkerMessages)
  let requests: string[] = []
  ada.context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(api|chathub)\//.test(pathname)) requests.push(`${request.method()} ${pathname}`)
  })
  function expectBudget(screen: keyof typeof budgets): void {
    const seen = requests.filter((request) => !repeated.has(request))
    requests = []
    expect(overBudget(seen, budgets[screen]), screen).toEqual([])
  }

  await ada.page.goto('/')
  await expect(ada.page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  // The requests behind the dashboard are sent when the page is idle.
  await expect.poll(() => requests).toContain('POST /api/user/ip/add')
  expectBudget('start')

  await startChat(ada)
  await expect(ada.page).toHaveURL(/\/buzzing$/)
  await expect.poll(() => requests).toContain('POST /chathub/negotiate')
  await startChat(bela)
  await expect(ada.page).toHaveURL(/\/chat$/)
  await expectLivePicture(ada.page.getByLabel('Peer video'))
  for (const last of ['POST /api/call/connection/add', 'GET /api/match/picture/get'])
    await expect.poll(() => requests).toContain(last)
  expectBudget('match')

  await takeMessages(ada.page)
  for (const line of ['one', 'two', 'three']) {
    await say(ada, line)
    await expect(chatOf(bela).getByText(line, { exact: true })).toBeVisible()
  }
  for (const line of ['four', 'five']) {
    await say(bela, line)
    await expect(chatOf(ada).getByText(line, { exact: true })).toBeVisible()
  }
  const sent = (await takeMessages(ada.page)).filter((message) => message !== repeatedMessage)
  expect(overBudget(sent, chatMessages)).toEqual([])
  expectBudget('chat')

  await ada.page.getByRole('button', { name: 'Exit' }).click()
  await expect(ada.page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  await expect.poll(() => requests).toContain('GET /api/users/block/get')
  expectBudget('return')
})
