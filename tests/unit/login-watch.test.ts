import { expect, test } from 'vitest'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import { watchLogin } from '../../src/app/login-watch.ts'
import { fakeApi } from '../support/fakes/fake-api.ts'

function failingWith(code: ErrorCode) {
  const led: string[] = []
  const failing = fakeApi({ readTurn: () => Promise.reject(new AppError(code)) })
  const watch = watchLogin(failing, (to) => led.push(to))
  const fail = (times: number) =>
    Promise.all(
      Array.from({ length: times }, () =>
        expect(watch.api.request('readTurn', undefined)).rejects.toMatchObject({ code }),
      ),
    )
  return { led, fail, entered: watch.entered }
}

test('an ended login session leads to the sign-in page once, for any number of requests', async () => {
  const { led, fail, entered } = failingWith('refresh-failed')
  entered('/dashboard')
  await fail(10)
  entered('/login')
  await fail(10)
  expect(led).toEqual(['/login'])
})

test('and again after the user has returned to a screen that needs one', async () => {
  const { led, fail, entered } = failingWith('refresh-failed')
  await fail(1)
  entered('/login')
  entered('/dashboard')
  await fail(1)
  expect(led).toEqual(['/login', '/login'])
})

test.each(['network-error', 'timeout', 'login-required', 'aborted'] as const)(
  '%s does not lead to the sign-in page',
  async (code) => {
    const { led, fail } = failingWith(code)
    await fail(1)
    expect(led).toEqual([])
  },
)
