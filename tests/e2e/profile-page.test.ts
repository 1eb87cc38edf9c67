import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { test } from './hub-network.ts'
import { inspect } from './inspect.ts'
import { startChat } from './people.ts'

test.use({ permissions: ['camera', 'microphone'], serverSettings: { PROFILE_PAGE: 'on' } })

test('a call that is over is a waterfall on /profile, with exports, in both schemes', async ({ arrive }) => {
  const [ada, bob] = [await arrive('Ada'), await arrive('Bob')]
  await ada.page.waitForFunction(() => RTCPeerConnection.toString().includes('extends'))
  await Promise.all([startChat(ada), startChat(bob)])
  for (const { page } of [ada, bob]) await expect(page.getByRole('button', { name: 'Exit' })).toBeVisible()
  const { page } = ada
  await expect
    .poll(() =>
      page
        .locator('video')
        .first()
        .evaluate((video: HTMLVideoElement) => video.currentTime),
    )
    .toBeGreaterThan(1)

  await page.goto('/profile?overlay')
  await expect(page.getByRole('heading', { name: 'What stands out' })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Call 1: \d+ ms from the press to the first frame$/ })).toBeVisible()
  await expect(page.getByText(/^queue /)).toBeVisible()
  const call = page.getByRole('region', { name: /^Call 1/ })
  for (const step of ['Match: prepare', 'Match: search', 'Call setup: ICE', 'Call setup: first frame'])
    await expect(call.getByRole('rowheader', { name: step }).first()).toBeVisible()
  await expect(page.getByText(/^Slowest step: /)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Requests to workers' }).getByRole('rowheader').first()).toBeVisible()
  const alive = page.getByRole('region', { name: 'What is alive' })
  await expect(alive.getByRole('row', { name: 'Peer connections 0 0' })).toBeVisible()

  async function saved(name: string): Promise<string> {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name }).click()
    return readFile(await (await download).path(), 'utf8')
  }
  const [json, dump, trace] = [
    await saved('Everything (JSON)'),
    await saved('Statistics of calls (rtcstats)'),
    await saved('Trace (Perfetto, Chrome)'),
  ]
  expect(JSON.parse(json)).toMatchObject({ calls: [{ isComplete: true }], findings: expect.any(Array) })
  expect(
    dump
      .split('\n')
      .slice(2, -1)
      .map((line) => JSON.parse(line)[0]),
  ).toContain('getStats')
  expect(JSON.parse(trace).traceEvents.map(({ name }: { name: string }) => name)).toContain('search')
  for (const file of [json, dump, trace])
    expect(file).not.toMatch(/\d+\.\d+\.\d+\.\d+|candidate:|m=video|localhost|Ada/)
  await inspect(page, 'profile')
})
