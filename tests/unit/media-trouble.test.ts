import { expect, test } from 'vitest'
import { type MediaTrouble, troubleOf } from '../../src/domain/media-trouble.ts'

type Case = [MediaTrouble, string, string, string, 'granted' | 'denied' | 'prompt' | null]

const cases: Case[] = [
  ['denied', 'Chromium', 'NotAllowedError', 'Permission denied', 'denied'],
  ['dismissed', 'Chromium', 'NotAllowedError', 'Permission dismissed', 'prompt'],
  ['system', 'Chromium', 'NotAllowedError', 'Permission denied by system', 'granted'],
  ['busy', 'Chromium', 'NotReadableError', 'Could not start video source', 'granted'],
  ['absent', 'Chromium', 'NotFoundError', 'Requested device not found', 'granted'],
  ['absent', 'Chromium', 'OverconstrainedError', '', 'granted'],
  [
    'denied',
    'Firefox',
    'NotAllowedError',
    'The request is not allowed by the user agent or the platform in the current context.',
    'denied',
  ],
  [
    'system',
    'Firefox',
    'NotAllowedError',
    'The request is not allowed by the user agent or the platform in the current context.',
    'granted',
  ],
  ['busy', 'Firefox', 'NotReadableError', 'Failed to allocate videosource', 'granted'],
  ['busy', 'Firefox', 'AbortError', 'Starting videoinput failed', null],
  ['absent', 'Firefox', 'NotFoundError', 'The object can not be found here.', null],
  [
    'denied',
    'Safari',
    'NotAllowedError',
    'The request is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.',
    'denied',
  ],
  ['dismissed', 'Safari', 'NotAllowedError', 'The operation was cancelled', 'prompt'],
  ['denied', 'an old browser', 'PermissionDeniedError', '', null],
  ['absent', 'an old browser', 'DevicesNotFoundError', '', null],
]

test.for(cases)('%s: %s says %s (%s), permission %s', ([trouble, _browser, name, message, permission]) => {
  expect(troubleOf({ name, message, permission, isSecure: true })).toBe(trouble)
})

test('a page that is not secure is told so, whatever the browser throws', () => {
  for (const [, , name, message, permission] of cases)
    expect(troubleOf({ name, message, permission, isSecure: false })).toBe('insecure')
})
