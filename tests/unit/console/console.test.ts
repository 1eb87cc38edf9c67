import { expect, test, vi } from 'vitest'
import type { Case, ConsoleEndpointOutput } from '#protocol/console.ts'
import { AppError } from '#protocol/errors.ts'
import { createConsoleStore } from '../../../src/console/state/console.ts'
import { type ConsoleResponses, fakeConsoleApi, summary, whole } from '../../support/browser/fake-console.ts'
import { silentLog } from '../../support/silent-log.ts'

const over = () => Promise.reject(new AppError('login-required', 'over', { status: 401 }))

function open(responses: ConsoleResponses) {
  return { store: createConsoleStore({ api: fakeConsoleApi(responses), log: silentLog(), saveFile() {} }) }
}

test('without a login session the console shows the login form, without a message about an ended one', async () => {
  const { store } = open({ whoAmI: over })
  await store.enter()
  expect(store.login.value).toBe('out')
  expect(store.loginTrouble.value).toBeNull()
})

test('an existing login session is resumed, with the case in the URL', async () => {
  const { store } = open({})
  await store.show('b')
  await store.enter()
  expect(store.login.value).toBe('in')
  expect(store.queue.value.cases).toHaveLength(2)
  expect(store.openCase.value?.id).toBe('b')
})

test('every rejected login has the same message', async () => {
  const { store } = open({ login: over })
  await store.logIn({ name: 'mia', password: 'x', code: '1' })
  expect(store.loginTrouble.value).toBe('Name, password or code is wrong.')
})

test('a login session that ends leads back to the login form and clears the screen', async () => {
  const ends = vi.fn<() => ConsoleEndpointOutput<'readCase'>>(() => whole('a'))
  const { store } = open({ readCase: ends })
  await store.enter()
  await store.show('a')
  expect(store.openCase.value?.id).toBe('a')
  ends.mockImplementation(() => {
    throw new AppError('login-required', 'over', { status: 401 })
  })
  await store.show('b')
  expect(store.login.value).toBe('out')
  expect(store.loginTrouble.value).toBe('Your login has ended.')
  expect(store.openCase.value).toBeNull()
  expect(store.queue.value.cases).toEqual([])
})

test('the next page is appended to the first, and a filter starts again', async () => {
  const { store } = open({
    readQueue: ({ after, kind }) => {
      if (kind) return { cases: [summary('appeal')], open: 1, next: null }
      return after ? { cases: [summary('c')], open: 3, next: null } : { cases: [summary('a')], open: 3, next: 'a' }
    },
  })
  await store.enter()
  await store.more()
  expect(store.queue.value.cases.map(({ id }) => id)).toEqual(['a', 'c'])
  await store.filter('appeal')
  expect(store.queue.value.cases.map(({ id }) => id)).toEqual(['appeal'])
})

test('a response about a case that was left changes nothing', async () => {
  const late = Promise.withResolvers<Case>()
  const { store } = open({ readCase: ({ id }) => (id === 'slow' ? late.promise : whole(id)) })
  await store.enter()
  const slow = store.show('slow')
  await store.show('b')
  late.resolve(whole('slow'))
  await slow
  expect(store.openCase.value?.id).toBe('b')
})

test('a case that has changed is loaded again with a message, and nothing is decided', async () => {
  const decide = vi.fn(() => Promise.reject(new AppError('wrong-state', 'changed', { status: 409 })))
  let version = 'old'
  const { store } = open({ decide, readCase: ({ id }) => whole(id, version) })
  await store.enter()
  await store.show('a')
  version = 'new'
  expect(await store.decide({ verdict: 'warn', rule: 'no-spam', note: 'x' })).toBe(false)
  expect(decide).toHaveBeenCalledWith({ id: 'a', version: 'old', verdict: 'warn', rule: 'no-spam', note: 'x' })
  expect(store.openCase.value?.version).toBe('new')
  expect(store.note.value).toMatch(/changed meanwhile/)
})

test('a picture is fetched when it is first shown; hiding and showing it again sends nothing', async () => {
  const openEvidence = vi.fn(() => ({ jpeg: 'AAAA' }))
  const { store } = open({ openEvidence })
  await store.enter()
  await store.show('a')
  await store.unveil('p', true)
  await store.unveil('p', false)
  expect(store.pictures.value.get('p')).toMatchObject({ state: 'intact', open: false })
  await store.unveil('p', true)
  expect(openEvidence).toHaveBeenCalledTimes(1)
  expect(store.pictures.value.get('p')).toEqual({ state: 'intact', url: 'data:image/jpeg;base64,AAAA', open: true })
  await store.show('b')
  expect(store.pictures.value.size).toBe(0)
})

test('a picture whose signature does not match is never shown', async () => {
  const { store } = open({ openEvidence: () => ({ jpeg: null }) })
  await store.enter()
  await store.show('a')
  await store.unveil('p', true)
  expect(store.pictures.value.get('p')).toEqual({ state: 'broken', url: null, open: false })
})
