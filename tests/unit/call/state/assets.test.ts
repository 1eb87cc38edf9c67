import { expect, test } from 'vitest'
import { createAssetStore } from '../../../../src/call/state/assets.ts'
import { waitFor } from '../../../support/wait-for.ts'

const face = '/faces/64/man-1.webp'

function assets(kept = new Map<string, Blob | string>(), fetchPicture = async () => new Blob(['face'])) {
  const fetched: string[] = []
  const revoked: string[] = []
  let made = 0
  const store = createAssetStore({
    storage: {
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, value),
      clear: async () => kept.clear(),
    },
    fetchPicture: (url) => {
      fetched.push(url)
      return fetchPicture()
    },
    urls: { make: () => `blob:${++made}`, revoke: (url) => void revoked.push(url) },
  })
  return { store, kept, fetched, revoked }
}

test('a picture has its path at first, then an object URL, and is fetched once', async () => {
  const { store, kept, fetched } = assets()
  expect([store.url(face), store.url(face)]).toEqual([face, face])
  await waitFor(() => expect(store.url(face)).toBe('blob:1'))
  expect(fetched).toEqual([face])
  const later = assets(kept)
  later.store.url(face)
  await waitFor(() => expect(later.store.url(face)).toBe('blob:1'))
  expect(later.fetched).toEqual([])
})

test('a picture that cannot be fetched keeps its path, and is not fetched again', async () => {
  const { store, fetched } = assets(new Map(), () => Promise.reject(new Error('no network')))
  store.url(face)
  await waitFor(() => expect(fetched).toHaveLength(1))
  await Promise.resolve()
  expect(store.url(face)).toBe(face)
  expect(fetched).toHaveLength(1)
})

test('object URLs are revoked, also of a picture that loads after its screen was left', async () => {
  const late = Promise.withResolvers<Blob>()
  const { store, revoked } = assets(new Map(), () => late.promise)
  store.url(face)
  store.release()
  late.resolve(new Blob(['late']))
  await late.promise
  await Promise.resolve()
  const other = assets()
  other.store.url(face)
  await waitFor(() => expect(other.store.url(face)).toBe('blob:1'))
  other.store.release()
  expect(other.revoked).toEqual(['blob:1'])
  expect(revoked).toEqual([])
  expect(store.url(face)).toBe(face)
})
