import { type Browser, type BrowserContext, expect } from '@playwright/test'
import { chatOf, cookiesOf, expectLivePicture, type Person, test as people, say, startChat } from './people.ts'
import { neverInstall, watchFaults } from './profiles.ts'
import { expectRemoved, removeFrom } from './without.ts'

/**
 * Features of docs/browser-features.md are deleted in page and workers. What is part of a call is deleted for one of two users who meet;
 * what single screens use is deleted all at once, and each feature has a test on its screen.
 */

const inCalls: Record<string, string[]> = {
  'the younger language and its objects': [
    ...[
      'Promise.withResolvers',
      'Promise.try',
      'Array.fromAsync',
      'Object.groupBy',
      'Map.groupBy',
      'URL.canParse',
      'URL.parse',
    ],
    ...['toSorted', 'toReversed', 'toSpliced', 'with'].map((name) => `Array.prototype.${name}`),
    ...['drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'reduce', 'some', 'take', 'toArray'].map(
      (name) => `Iterator.prototype.${name}`,
    ),
    ...[
      'difference',
      'intersection',
      'isDisjointFrom',
      'isSubsetOf',
      'isSupersetOf',
      'symmetricDifference',
      'union',
    ].map((name) => `Set.prototype.${name}`),
    ...['AbortSignal.any', 'Uint8Array.fromBase64', 'Uint8Array.prototype.toBase64'],
  ],
  'the younger features of the page': [
    'HTMLVideoElement.prototype.requestVideoFrameCallback',
    'HTMLVideoElement.prototype.cancelVideoFrameCallback',
    'RTCRtpReceiver.prototype.jitterBufferTarget',
    'RTCRtpReceiver.prototype.playoutDelayHint',
    ...['permissions', 'connection', 'deviceMemory', 'wakeLock'].map((name) => `Navigator.prototype.${name}`),
    'Document.prototype.pictureInPictureEnabled',
    'HTMLVideoElement.prototype.requestPictureInPicture',
    'MediaStreamTrackProcessor',
  ],
}

const inFrames: Record<string, string[]> = {
  VideoFrame: ['VideoFrame'],
  'VideoFrame and OffscreenCanvas': ['VideoFrame', 'OffscreenCanvas'],
}

const onScreens = [
  ...['popover', 'showPopover', 'hidePopover', 'togglePopover'].map((name) => `HTMLElement.prototype.${name}`),
  'Document.prototype.startViewTransition',
  ...['requestIdleCallback', 'cancelIdleCallback'],
  ...['Navigator.prototype.userAgentData', 'WorkerNavigator.prototype.userAgentData'],
  'HTMLMediaElement.prototype.setSinkId',
  'Notification',
]

type Arrival = { browser: Browser; url: string; without?: string[]; hurried?: boolean; faults: string[] }

let users = 0

/** A new user on the dashboard. With `hurried` the test moves the page's clock. */
async function arrive({ browser, url, without = [], hurried = false, faults }: Arrival): Promise<Person> {
  users += 1
  const nickName = without.length > 0 ? 'Older' : 'Newer'
  const context = await browser.newContext({
    baseURL: url,
    permissions: ['camera', 'microphone'],
  })
  if (without.length > 0) await removeFrom(context, without)
  await context.addCookies(await cookiesOf(url, `without${users}@example.org`, nickName))
  const page = await context.newPage()
  if (hurried) await page.clock.install()
  await watchFaults(page, faults)
  await page.addInitScript(neverInstall)
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  return { page, context, nickName }
}

type OwnFixtures = { arriveWithout: (without: string[], hurried?: boolean) => Promise<Person> }
/** `peer` lacks nothing and searches again after each call; the dashboard of `plain` lacks what screens use. */
type SharedFixtures = { peer: Person; plain: Person }

const test = people.extend<OwnFixtures, SharedFixtures>({
  arriveWithout: async ({ browser, server }, use) => {
    const contexts: BrowserContext[] = []
    const faults: string[] = []
    await use(async (without, hurried = false) => {
      const person = await arrive({ browser, url: server.url, without, hurried, faults })
      contexts.push(person.context)
      return person
    })
    for (const context of contexts) await context.close()
    expect(faults).toEqual([])
  },
  peer: [
    async ({ browser, servers }, use) => {
      const { url } = await servers.with({})
      const faults: string[] = []
      const peer = await arrive({ browser, url, faults })
      await startChat(peer)
      await use(peer)
      await peer.context.close()
      expect(faults).toEqual([])
    },
    { scope: 'worker' },
  ],
  plain: [
    async ({ browser, servers }, use) => {
      const { url } = await servers.with({})
      const faults: string[] = []
      const plain = await arrive({ browser, url, without: onScreens, faults })
      await expectRemoved(plain.page, onScreens)
      await use(plain)
      await plain.context.close()
      expect(faults).toEqual([])
    },
    { scope: 'worker' },
  ],
})

test.describe('on one screen after the other', () => {
  test('without popovers the panel opens, closes in each way and gives the focus back', async ({ plain: { page } }) => {
    const greeting = page.getByRole('button', { name: /^Hi, / })
    const panel = page.getByRole('region', { name: 'Profile' })
    const ways = [
      () => panel.getByRole('button', { name: 'Close' }).click(),
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 400),
      () => greeting.click(),
    ]
    await expect(panel).toBeHidden()
    for (const close of ways) {
      await greeting.click()
      await expect(panel).toBeVisible()
      await expect(panel).toBeInViewport({ ratio: 1 })
      await expect(greeting).toHaveAttribute('aria-expanded', 'true')
      await close()
      await expect(panel).toBeHidden()
      await expect(greeting).toHaveAttribute('aria-expanded', 'false')
    }
    await greeting.click()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await expect(greeting).toBeFocused()
  })

  test('without setSinkId the devices have no speaker', async ({ plain: { page } }) => {
    await page.getByRole('button', { name: 'Camera and sound' }).click()
    await expect(page.getByLabel('Microphone', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Speaker', { exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('without notifications and view transitions a user searches and comes back', async ({ plain }) => {
    await startChat(plain)
    await expect(plain.page.getByText('Finding a partner...')).toBeVisible()
    await plain.page.getByRole('button', { name: 'Cancel Matching' }).click()
    await expect(plain.page).toHaveURL(/\/dashboard$/)
  })

  test('without idle callbacks and client hints a page starts', async ({ plain: { page } }) => {
    await page.goto('/about')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  })
})

for (const [name, features] of Object.entries(inFrames))
  test(`the dashboard sends a picture of the camera without ${name}`, async ({ arriveWithout }) => {
    const { page, context } = await arriveWithout(features, true)
    await expectRemoved(page, features)
    await expectLivePicture(page.locator('video'))
    const sent = context.waitForEvent('response', (response) => response.url().endsWith('/user/video-frame/add'))
    await page.clock.fastForward('00:10')
    expect((await sent).status()).toBe(200)
  })

for (const [name, features] of Object.entries(inCalls))
  test(`two users talk although one browser lacks ${name}`, async ({ arriveWithout, peer }) => {
    const old = await arriveWithout(features)
    await expectRemoved(old.page, features)
    await startChat(old)
    for (const { page } of [old, peer]) {
      await expect(page).toHaveURL(/\/chat$/)
      await expectLivePicture(page.getByLabel('Peer video'))
    }
    await say(old, 'Grüße 👋🏽')
    await expect(chatOf(peer).getByText('Grüße 👋🏽', { exact: true })).toBeVisible()
    await say(peer, 'Szia! 🐝')
    await expect(chatOf(old).getByText('Szia! 🐝', { exact: true })).toBeVisible()
    await old.page.getByRole('button', { name: 'Exit' }).click()
    await expect(old.page).toHaveURL(/\/dashboard$/)
    await expect(peer.page).toHaveURL(/\/buzzing$/)
  })
