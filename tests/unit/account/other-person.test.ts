import { signal } from '@preact/signals-react'
import { describe, expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { EndpointInput } from '#protocol/rest.ts'
import type { Identity } from '../../../src/account/ports.ts'
import { onOtherUser } from '../../../src/app/login-watch.ts'
import { createContentNoticeStore } from '../../../src/site/state/content-notice.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { openFakeWindow } from '../../support/fakes/fake-sign-in-window.ts'
import { firstVisit, startOf } from '../../support/fakes/start-of.ts'
import { silentLog } from '../../support/silent-log.ts'
import { ada, picture, valid, visitor } from '../../support/stores/account-visitor.ts'

const bob: Identity = { ...ada, emailAddress: 'bob@example.org', firstName: 'Bob', profilePictureUrl: '' }
const device = JSON.stringify({ id: 'camera-1', label: 'Camera' })
const input = { nickName: 'Bob', gender: 'boy', dateOfBirth: '1990-12-10' } as const
const adasProfile = { nickName: 'Ada', gender: 'girl', dateOfBirth: '1990-12-10' } as const

/** Ada has signed in and has a profile; `people` sign in after her, in this order. */
async function adaThen(people: Identity[], fetchPicture?: () => Promise<Blob>) {
  const identities = [ada, ...people]
  const uploads: EndpointInput<'addProfile'>[] = []
  const world = visitor(
    {
      addOauthUser: ({ EmailAddress }) => ({
        message: 'Valid',
        profile: EmailAddress === ada.emailAddress ? adasProfile : null,
      }),
      addProfile: (form) => {
        uploads.push(form)
        return valid()
      },
      readStart: firstVisit,
    },
    async () => identities.shift() ?? ada,
    fetchPicture,
  )
  const { account, stored } = world
  await account.signIn('Google', openFakeWindow)
  await account.saveProfile({ ...input, nickName: 'Ada' })
  uploads.length = 0
  stored.set('AppLogs', 'entries')
  stored.set('sounds', 'on')
  stored.set('chosenCamera', device)
  stored.set('hideNetworkAddress', 'on')
  return { ...world, uploads }
}

const shown = ({ account }: ReturnType<typeof visitor>) => [
  account.email.value,
  account.nickName.value,
  account.picture.value,
  account.profile.value,
]

describe('another person who signs in on this browser', () => {
  test('without a picture has none, and uploads none', async () => {
    const world = await adaThen([bob])
    expect(await world.account.signIn('Google', openFakeWindow)).toBe(true)
    expect(shown(world)).toEqual(['bob@example.org', '', null, null])
    await world.account.saveProfile(input)
    expect(world.uploads).toEqual([expect.not.objectContaining({ file: expect.anything() as unknown })])
  })

  test('whose picture cannot be fetched has none, and uploads none', async () => {
    const pictures = [async () => picture, () => Promise.reject(new AppError('timeout'))]
    const world = await adaThen(
      [{ ...bob, profilePictureUrl: 'https://images.example/bob.png' }],
      () => pictures.shift()?.() ?? Promise.reject(new Error('asked once each')),
    )
    expect(await world.account.signIn('Google', openFakeWindow)).toBe(true)
    expect(world.account.picture.value).toBeNull()
    await world.account.saveProfile(input)
    expect(world.uploads[0]?.file).toBeUndefined()
  })

  test('keeps what belongs to the browser alone', async () => {
    const { account, stored } = await adaThen([bob])
    await account.signIn('Google', openFakeWindow)
    expect([...stored]).toEqual([
      ['chosenCamera', device],
      ['hideNetworkAddress', 'on'],
    ])
  })

  test('does not get the picture that was still being fetched for the one before', async () => {
    const late = Promise.withResolvers<Blob>()
    const asked = Promise.withResolvers<void>()
    const { account, stored } = visitor({}, undefined, () => {
      asked.resolve()
      return late.promise
    })
    const signingIn = account.signIn('Google', openFakeWindow)
    await asked.promise
    account.loginEnded()
    late.resolve(picture)
    await signingIn
    expect([account.picture.value, stored.has('profilePicture')]).toEqual([null, false])
  })

  test('the same person who signs in again keeps the picture', async () => {
    const { account, stored } = await adaThen([{ ...ada, profilePictureUrl: '' }])
    await account.signIn('Google', openFakeWindow)
    expect(account.picture.value).not.toBeNull()
    expect(stored.get('profilePicture')).toBe(picture)
  })
})

describe('a login that ends', () => {
  test('by expiry or from elsewhere leaves nothing of its user', async () => {
    const world = await adaThen([])
    world.visit.mark('dashboardPageLoaded')
    world.account.loginEnded()
    expect(shown(world)).toEqual(['', '', null, null])
    await expect.poll(() => [...world.stored.keys()]).toEqual(['chosenCamera', 'hideNetworkAddress'])
    const { splashScreenPageLoaded, ...others } = world.visit.flags.value
    expect(splashScreenPageLoaded).toBe(true)
    expect(Object.values(others)).not.toContain(true)
    expect(world.visit.userSessionId.value).toBe('s1')
  })

  test('found by the start of a visit leaves nothing of its user once the sign-in page is shown', async () => {
    const { account, stored } = visitor({ readStart: firstVisit, readIp: () => new Promise(() => {}) })
    stored.set('profilePicture', picture)
    stored.set('chosenCamera', device)
    expect(await account.start()).toBe('login')
    account.signInShown()
    await expect.poll(() => [...stored.keys()]).toEqual(['chosenCamera'])
  })

  test('found by the start of a visit clears the user before', async () => {
    const answers = [startOf(), firstVisit()]
    const { account } = visitor({ readStart: () => answers.shift() ?? firstVisit() })
    await account.start()
    expect(await account.start()).toBe('login')
    expect([account.email.value, account.nickName.value]).toEqual(['', ''])
  })
})

test('the start of a visit of the same person keeps the picture', async () => {
  const { account, stored } = visitor({ readStart: () => startOf() })
  stored.set('profilePicture', picture)
  expect(await account.start()).toBe('dashboard')
  await expect.poll(() => account.picture.value).toMatch(/^blob:/)
  expect(stored.get('profilePicture')).toBe(picture)
})

test('a sign-in page that a signed-in user goes back to clears nothing', async () => {
  const { account, stored } = await adaThen([])
  account.signInShown()
  await account.saveProfile(input)
  expect(stored.get('profilePicture')).toBe(picture)
})

describe('what was typed into the form for people without an account', () => {
  const receipt = { reference: 'AAAA-BBBB', receivedAt: 1, dueAt: 2 }

  test('is gone with the user who typed it, and so is a receipt', async () => {
    const email = signal('')
    const store = createContentNoticeStore({
      api: fakeApi({ readContentNotice: () => Promise.reject(new AppError('not-found')) }),
      log: silentLog(),
      newKey: () => 'key',
      solve: async () => null,
    })
    onOtherUser(email, store.forget)
    const empty = store.draft.value
    const typed = { ...empty, email: 'ada@example.org' }
    store.keep(typed)
    email.value = 'ada@example.org'
    // Typed before the sign-in, by the same person.
    expect(store.draft.value).toEqual(typed)
    await store.read({ reference: receipt.reference, email: 'ada@example.org' })
    email.value = ''
    expect([store.draft.value, store.receipt.value, store.lookup.value, store.found.value]).toEqual([
      empty,
      null,
      'none',
      null,
    ])
  })
})
