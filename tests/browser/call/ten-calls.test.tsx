import { signal } from '@preact/signals-react'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Language } from '#protocol/languages.ts'
import { CallPage } from '../../../src/call/screens/call-page.tsx'
import { fakeStores, matchId, meet, stillStream } from '../../support/browser/fake-stores.ts'
import { drawn, render, unmount } from '../../support/browser/render.tsx'
import { recordOpened } from '../../support/browser/what-is-left.ts'

const CALLS = 10

/** One call on its screen: picture, chat line, countdown, menu, and the peer leaves. */
async function call(fake: ReturnType<typeof fakeStores>): Promise<void> {
  meet(fake)
  const remote = stillStream()
  fake.stores.call.showRemote(remote)
  render(fake.stores, <CallPage />)
  await expect.element(page.getByLabelText('Peer video')).toBeInTheDocument()
  await expect.poll(() => fake.looks.running).toBe(1)
  fake.stores.chat.receive('Hello')
  await expect.element(page.getByText('Hello')).toBeInTheDocument()
  await page.getByRole('button', { name: 'Camera and sound' }).click()
  fake.stores.call.dispatch({ type: 'match-terminated', matchId })
  fake.stores.chat.clear()
  await drawn()
  unmount()
  for (const track of remote.getTracks()) track.stop()
}

async function visitor() {
  const fake = fakeStores()
  await fake.signIn()
  await fake.stores.devices.open()
  // What the first call opens for good is not a leak.
  await call(fake)
  const opened = recordOpened()
  onTestFinished(opened.restore)
  return { fake, opened }
}

test('ten calls leave no listener, no interval, no object URL and no worker behind', async () => {
  const { fake, opened } = await visitor()
  for (let count = 0; count < CALLS; count += 1) await call(fake)
  expect(opened.left()).toEqual([])
  expect([fake.looks.starts, fake.looks.running]).toEqual([1 + CALLS, 0])
})

test('no component of a call that is over follows a signal, the report dialog that was not opened included', async () => {
  const fake = fakeStores()
  await fake.signIn()
  let isFollowed = false
  // Every text of the call follows the language.
  const language = signal<Language>('en', {
    watched: () => {
      isFollowed = true
    },
    unwatched: () => {
      isFollowed = false
    },
  })
  meet(fake)
  render({ ...fake.stores, texts: { ...fake.stores.texts, language } }, <CallPage />)
  await expect.poll(() => document.querySelector('dialog')).not.toBeNull()
  expect(isFollowed).toBe(true)
  unmount()
  await drawn()
  expect(isFollowed).toBe(false)
})

test('what is left is named with the function that opened it', async () => {
  const { opened } = await visitor()
  const leaked = () => {}
  function leakOfTheTest(): void {
    document.addEventListener('visibilitychange', leaked)
    setInterval(leaked, 1e9)
    URL.createObjectURL(new Blob(['leaked']))
  }
  leakOfTheTest()
  expect(opened.left()).toEqual(
    ['interval', 'listener of visibilitychange on document', 'object URL'].map((what) =>
      expect.stringMatching(new RegExp(`^${what}, opened by leakOfTheTest .*ten-calls`)),
    ),
  )
  document.removeEventListener('visibilitychange', leaked)
  expect(opened.left()).toHaveLength(2)
})
