import { expect, test } from 'vitest'
import { retryConflicts } from '../../server/platform/database/guarded.ts'

const failure = (code: string) => Object.assign(new Error(`refused with ${code}`), { code })

/** Fails as many times with this, then answers with how often it was asked. */
function failing(times: number, error: Error) {
  let asked = 0
  const work = async () => {
    asked += 1
    if (asked <= times) throw error
    return asked
  }
  return { work, asked: () => asked }
}

const atOnce = () => 0

test.each(['40001', '40P01'])('what lost with %s against somebody else is carried out again', async (code) => {
  const { work } = failing(3, failure(code))
  expect(await retryConflicts(work, atOnce)).toBe(4)
})

test.each(['23505', '23503', '57014', '08006'])('what failed with %s is not carried out again', async (code) => {
  const { work, asked } = failing(1, failure(code))
  await expect(retryConflicts(work, atOnce)).rejects.toThrow(`refused with ${code}`)
  expect(asked()).toBe(1)
})

test('who always loses may ask again later', async () => {
  const { work, asked } = failing(Number.POSITIVE_INFINITY, failure('40001'))
  await expect(retryConflicts(work, atOnce)).rejects.toMatchObject({ code: 'unavailable' })
  expect(asked()).toBe(6)
})
