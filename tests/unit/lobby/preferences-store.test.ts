import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import { normaliseInterest } from '#protocol/preferences.ts'
import { interestFault } from '../../../src/lobby/rules/preferences.ts'
import { createPreferencesStore } from '../../../src/lobby/state/preferences.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'
import { silentLog } from '../../support/silent-log.ts'

const profile = {
  nickName: 'Ada',
  gender: 'girl',
  dateOfBirth: '1990-12-10',
  showsPicture: false,
  pictureState: 'none',
  picture: null,
} as const

const storeOn = (responses: Parameters<typeof fakeApi>[0], tags: string[] = []) => {
  const api = fakeApi(responses)
  return { api, store: createPreferencesStore({ api, log: silentLog(), tags: () => tags }) }
}

test('the languages of the browser are proposed where nothing is stored, and not where something is', async () => {
  const empty = storeOn({ readProfile: () => ({ ...profile, languages: [], interests: [] }) }, ['es-MX', 'en'])
  expect(await empty.store.load()).toEqual({ languages: ['es', 'en'], interests: [], isProposed: true })
  const older = storeOn({ readProfile: () => profile }, ['es'])
  expect(await older.store.load()).toEqual({ languages: ['es'], interests: [], isProposed: true })
  const chosen = storeOn({ readProfile: () => ({ ...profile, languages: [], interests: ['chess'] }) }, ['es'])
  expect(await chosen.store.load()).toEqual({ languages: [], interests: ['chess'], isProposed: false })
  expect(empty.api.made).toEqual(['readProfile'])
})

test.for([
  ['languages', 'languages'],
  ['interests', 'interests'],
  ['interests.2', 'interests'],
  ['NickName', 'failed'],
] as const)('a refusal of %s is a fault of %s', async ([field, fault]) => {
  const { store } = storeOn({
    changePreferences: () => Promise.reject(new AppError('bad-request', 'No', { status: 400, field })),
  })
  expect(await store.save({ languages: [], interests: [] })).toBe(fault)
  expect(store.saving.value).toBe(false)
})

test('suggestions are requested once, and again after a failure', async () => {
  let fails = true
  const { api, store } = storeOn({
    readSuggestions: () => (fails ? Promise.reject(new AppError('timeout')) : { interests: ['chess'] }),
  })
  expect(await store.suggest()).toEqual([])
  fails = false
  expect(await store.suggest()).toEqual(['chess'])
  expect(await store.suggest()).toEqual(['chess'])
  expect(api.made).toEqual(['readSuggestions', 'readSuggestions'])
})

test('an interest is words with single signs between them, at most 30 characters and 3 digits, and none twice', () => {
  expect(normaliseInterest('  Board \n games ')).toBe('board games')
  expect(interestFault('board games', ['chess'])).toBeNull()
  expect(interestFault('chess', ['chess'])).toBe('known')
  expect(interestFault('a'.repeat(31), [])).toBe('too-long')
  expect(interestFault('8-bit', [])).toBeNull()
  expect(interestFault('call 0171', [])).toBe('digits')
  expect(interestFault('https://x.example', [])).toBe('letters')
})
