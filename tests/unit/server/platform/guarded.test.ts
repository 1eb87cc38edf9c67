import { expect, test } from 'vitest'
import { retryConflicts } from '../../../../server/platform/database/guarded.ts'

const failure = (code: string) => Object.assign(new Error(`refused with ${code}`), { code })

/** Returns a task that rejects with `error` `times` times, then resolves with the number of attempts. */
function failing(times: number, error: Error) {
  let attempts = 0
  const work = async () => {
    attempts += 1
    if (attempts <= times) throw error
    return attempts
  }
  return { work, attempts: () => attempts }
}

const atOnce = () => 0

test.each(['40001', '40P01'])('a transaction that fails with the conflict %s is retried', async (code) => {
  const { work } = failing(3, failure(code))
  expect(await retryConflicts(work, atOnce)).toBe(4)
})

test.each(['23505', '23503', '57014', '08006'])('a transaction that fails with %s is not retried', async (code) => {
  const { work, attempts } = failing(1, failure(code))
  await expect(retryConflicts(work, atOnce)).rejects.toThrow(`refused with ${code}`)
  expect(attempts()).toBe(1)
})

test('a transaction that conflicts six times rejects with `unavailable`', async () => {
  const { work, attempts } = failing(Number.POSITIVE_INFINITY, failure('40001'))
  await expect(retryConflicts(work, atOnce)).rejects.toMatchObject({ code: 'unavailable' })
  expect(attempts()).toBe(6)
})
