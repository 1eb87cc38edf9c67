import { expect, test } from 'vitest'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import { watchLogin } from '../../../src/app/login-watch.ts'
import { fakeApi } from '../../support/fakes/fake-api.ts'

function failingWith(code: ErrorCode) {
  const led: string[] = []
  const failing = fakeApi({ readTurn: () => Promise.reject(new AppError(code)) })
  const watch = watchLogin(failing, { person: () => 'ada', signedOut: (to) => led.push(to) })
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

/** Requests that wait, of a page on which one person follows another. */
function twoPeople() {
  let person = 'visit-1 ada@example.org'
  const led: string[] = []
  const answer = Promise.withResolvers<never>()
  const watch = watchLogin(fakeApi({ readTurn: () => answer.promise }), {
    person: () => person,
    signedOut: (to) => led.push(to),
  })
  return {
    led,
    watch,
    follow: (next: string) => {
      person = next
    },
    refuse: () => answer.reject(new AppError('refresh-failed')),
  }
}

test('a late request of the person before does not sign the next one out', async () => {
  const { led, watch, follow, refuse } = twoPeople()
  watch.entered('/dashboard')
  const late = watch.api.request('readTurn', undefined)
  follow('visit-2 nina@example.org')
  watch.entered('/welcome')
  refuse()
  await expect(late).rejects.toMatchObject({ code: 'refresh-failed' })
  expect(led).toEqual([])
})

test('the sign-in page stays as it is: nobody is signed in there', async () => {
  const { led, watch, refuse } = twoPeople()
  watch.entered('/dashboard')
  watch.entered('/login')
  const late = watch.api.request('readTurn', undefined)
  refuse()
  await expect(late).rejects.toMatchObject({ code: 'refresh-failed' })
  expect(led).toEqual([])
})
