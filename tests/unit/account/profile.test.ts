import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { OwnProfile } from '#protocol/profile-endpoints.ts'
import type { EndpointInput } from '#protocol/rest.ts'
import { createProfileStore } from '../../../src/account/state/profile.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { silentLog } from '../../support/silent-log.ts'

const stored: OwnProfile = {
  nickName: 'Ada',
  gender: 'girl',
  dateOfBirth: '1990-12-10',
  showsPicture: false,
  pictureState: 'ready',
  picture: btoa('WebP'),
}
const draft = { nickName: 'Grace ', gender: 'others', showsPicture: true } as const
const size = { width: 9, height: 9 }
const crop = { x: 1, y: 2, side: 3 }

function visitor(refusal: AppError | null = null) {
  const sent: EndpointInput<'changeProfile'>[] = []
  const taken: { nickName: string; picture: string | null }[] = []
  let profile = stored
  const api = fakeApi({
    readProfile: () => profile,
    changeProfile(input) {
      if (refusal) throw refusal
      sent.push(input)
      profile = { ...profile, nickName: input.NickName }
      return { message: 'Valid', pictureState: 'ready' }
    },
  })
  const store = createProfileStore(
    {
      api,
      log: silentLog(),
      pictures: {
        measure: async (file) => {
          if ((await file.text()) === 'no picture') throw new AppError('encode-failed')
          return size
        },
        crop: async (file, { side }) => new Blob([`${await file.text()} ${side}`]),
        still: () => Promise.reject(new AppError('camera-refused')),
      },
    },
    {
      takeProfile: async ({ nickName, picture }) =>
        void taken.push({ nickName, picture: (await picture?.text()) ?? null }),
    },
  )
  return { store, sent, taken, api }
}

test('what the server has stored is shown in the whole product', async () => {
  const { store, taken } = visitor()
  expect(await store.load()).toBe(true)
  expect([store.stored.value, taken]).toEqual([stored, [{ nickName: 'Ada', picture: 'WebP' }]])
})

test('a change is sent with the square of the picture, and what was stored is read again', async () => {
  const { store, sent, taken } = visitor()
  const file = new Blob(['face'])
  expect(await store.save({ ...draft, picture: { file, size, crop } })).toBeNull()
  expect(sent).toMatchObject([{ NickName: 'Grace', Gender: 'others', ShowPicture: 'true', RemovePicture: 'false' }])
  const { blob } = sent[0]?.file ?? {}
  expect(blob instanceof Blob && (await blob.text())).toBe('face 3')
  expect(taken).toMatchObject([{ nickName: 'Grace' }])
})

test('a picture is kept or removed without a file', async () => {
  const { store, sent } = visitor()
  await store.save({ ...draft, picture: 'kept' })
  await store.save({ ...draft, picture: 'removed' })
  expect(sent.map(({ RemovePicture, file }) => [RemovePicture, file])).toEqual([
    ['false', undefined],
    ['true', undefined],
  ])
})

test.each([
  ['picture-refused', 'picture-refused'],
  ['wrong-type', 'picture-unreadable'],
  ['too-large', 'picture-unreadable'],
  ['timeout', 'failed'],
] as const)('%s is a fault that can be shown', async (code, fault) => {
  const { store, taken } = visitor(new AppError(code))
  expect(await store.save({ ...draft, picture: 'kept' })).toBe(fault)
  expect([store.saving.value, taken]).toEqual([false, []])
})

test('a file that is no picture, and a camera without one, give none', async () => {
  const { store } = visitor()
  expect(await store.open(new Blob(['no picture']))).toBe('none')
  expect(await store.photograph({} as MediaStream)).toBe('none')
  const file = new Blob(['face'])
  expect(await store.open(file)).toEqual({ file, size })
})

test('a profile that arrives after the dialog was closed changes nothing', async () => {
  const { store, taken } = visitor()
  const loading = store.load()
  store.forget()
  await loading
  expect([store.stored.value, taken]).toEqual([null, []])
})
