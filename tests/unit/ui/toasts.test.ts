import { expect, test } from 'vitest'
import { AppError, errorNumber } from '#protocol/errors.ts'
import { createToastStore } from '../../../src/platform/state/toasts.ts'
import { texts } from '../../../src/ui/texts/en/first.ts'
import { texts as english } from '../../../src/ui/texts/en/toasts.ts'
import { texts as spanish } from '../../../src/ui/texts/es/toasts.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { silentLog } from '../../support/silent-log.ts'

function notices() {
  const clock = fakeClock()
  const log = silentLog()
  return { clock, log, store: createToastStore(clock, log) }
}

test('a bottom popup closes after 5 seconds, and a newer one has its own 5 seconds', () => {
  const { clock, store } = notices()
  store.show('toasts.replaced')
  clock.advance(4_000)
  store.show('toasts.report-taken')
  clock.advance(4_999)
  expect(store.popup.value?.text).toBe('toasts.report-taken')
  clock.advance(1)
  expect(store.popup.value).toBeNull()
  expect(clock.waiting()).toBe(0)
})

test('one error popup at a time, for any number of failed requests', () => {
  const { log, store } = notices()
  store.fail(new AppError('timeout'), 'one')
  store.fail(new AppError('cookie-invalid'), 'two')
  expect(store.failure.value).toEqual({ kind: 'http', code: 'timeout' })
  expect(log.errors).toHaveLength(2)
})

test.each([
  [new TypeError('x is not a function'), 'application'],
  [new AppError('session-incomplete'), 'application'],
  [new AppError('worker-died'), 'client'],
  [new AppError('worker-error', 'No method x'), 'client'],
  [new AppError('hub-unavailable'), 'client'],
  [new AppError('timeout', 'request: timeout', { worker: true }), 'client'],
  [new AppError('timeout'), 'http'],
  [new AppError('server-unreachable'), 'http'],
  [new AppError('invalid-response'), 'http'],
  [new AppError('forbidden', 'no', { status: 403 }), 'http'],
  [new AppError('http-error', 'HTTP status 500', { status: 500 }), 'http'],
] as const)('an error of the application differs from a failed request: %s is of kind %s', (thrown, kind) => {
  const { store } = notices()
  store.fail(thrown, 'welcome')
  expect(store.failure.value?.kind).toBe(kind)
})

test.each([
  new AppError('underage', 'no', { status: 400, field: 'DOB' }),
  new AppError('blocked', 'no', { status: 403 }),
  new AppError('email-missing'),
  new AppError('email-missing', 'no', { status: 400 }),
  new AppError('provider-refused', 'no', { status: 401 }),
  new AppError('provider-unavailable', 'no', { status: 502 }),
])('a refusal with texts of its own is shown with these, also as a response: %s', (refusal) => {
  const { store } = notices()
  store.fail(refusal, 'sign-in')
  expect(store.failure.value).toEqual({ kind: 'refusal', code: refusal.code })
  for (const texts of [english, spanish])
    for (const part of ['title', 'text']) expect(Object.keys(texts)).toContain(`toasts.refused.${refusal.code}.${part}`)
})

test('an ended login session is logged, without an error popup', () => {
  const { log, store } = notices()
  store.fail(new AppError('refresh-failed'), 'dashboard')
  expect([store.failure.value, log.errors.length]).toEqual([null, 1])
})

test('an aborted request is neither shown nor logged', () => {
  const { log, store } = notices()
  store.fail(new AppError('aborted'), 'dashboard')
  expect([store.failure.value, log.errors.length]).toEqual([null, 0])
})

test.each([
  ['unknown', 300, /^Error <code\/>: Unable to connect/],
  ['network-error', 302, /^Error <code\/>: Connection problem/],
  ['timeout', 303, /^Error <code\/>: The request is taking longer/],
  ['server-unreachable', 300, /^Error <code\/>: Unable to connect/],
  ['http-error', 309, /^Error <code\/>: We're experiencing/],
  ['too-many-requests', 309, /^Error <code\/>: We're experiencing/],
  ['invalid-response', 310, /^Error <code\/>: We received/],
  ['hub-unavailable', 300, /^Error <code\/>: Unable to connect/],
  ['worker-died', 400, /^Error <code\/>: Something went wrong/],
  ['forbidden', 400, /^Error <code\/>: Something went wrong/],
] as const)('%s has its numbered message', (code, number, text) => {
  expect(errorNumber(code)).toBe(number)
  expect(texts[`first.failure.${number}`]).toMatch(text)
})
