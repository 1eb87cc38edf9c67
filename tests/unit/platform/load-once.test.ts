import { expect, it } from 'vitest'
import { loadOnce } from '../../../src/platform/load-once.ts'

it('loads on the first call alone, and then returns the value without a promise', async () => {
  let loads = 0
  const { load, loaded } = loadOnce(async () => {
    loads += 1
    return 'a screen'
  })
  expect(loaded()).toBeNull()
  const first = load()
  expect(load()).toBe(first)
  expect(await first).toBe('a screen')
  expect(loaded()).toBe('a screen')
  expect(loads).toBe(1)
})

it('keeps no failure: the next call loads again', async () => {
  const outcomes = [Promise.reject(new Error('offline')), Promise.resolve('a screen')]
  const { load, loaded } = loadOnce(() => outcomes.shift() ?? Promise.reject(new Error('loaded too often')))
  await expect(load()).rejects.toThrow('offline')
  expect(loaded()).toBeNull()
  expect(await load()).toBe('a screen')
})
