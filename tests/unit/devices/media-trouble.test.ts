import { expect, test } from 'vitest'
import { troubleOf } from '../../../src/devices/rules/media-trouble.ts'

const firefox = 'The request is not allowed by the user agent or the platform in the current context.'
const safari =
  'The request is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.'

test.each([
  ['Chromium', 'NotAllowedError', 'Permission denied', 'denied', 'denied'],
  ['Chromium', 'NotAllowedError', 'Permission denied', 'granted', 'system'],
  ['Chromium', 'NotAllowedError', 'Permission denied by system', 'granted', 'system'],
  ['Chromium', 'NotAllowedError', 'Permission denied by system', 'denied', 'system'],
  ['Chromium', 'NotAllowedError', 'Permission dismissed', 'prompt', 'dismissed'],
  ['Chromium, after the third time,', 'NotAllowedError', 'Permission dismissed', 'denied', 'denied'],
  ['Chromium', 'NotReadableError', 'Could not start video source', 'granted', 'busy'],
  ['Chromium', 'NotReadableError', 'Device in use', 'granted', 'busy'],
  ['Chromium', 'AbortError', 'Timeout starting video source', 'granted', 'busy'],
  ['Chromium', 'NotFoundError', 'Requested device not found', 'prompt', 'absent'],
  ['Chromium', 'OverconstrainedError', '', 'granted', 'absent'],
  ['Firefox', 'NotAllowedError', firefox, 'denied', 'denied'],
  ['Firefox of old', 'NotAllowedError', firefox, null, 'denied'],
  ['Firefox', 'NotAllowedError', firefox, 'prompt', 'dismissed'],
  ['Firefox', 'NotAllowedError', firefox, 'granted', 'system'],
  ['Firefox', 'NotReadableError', 'Failed to allocate videosource', 'granted', 'busy'],
  ['Firefox', 'AbortError', 'Starting videoinput failed', 'granted', 'busy'],
  ['Firefox', 'NotFoundError', 'The object can not be found here.', 'prompt', 'absent'],
  ['Firefox', 'SecurityError', 'The operation is insecure.', 'prompt', 'system'],
  ['Safari', 'NotAllowedError', safari, 'denied', 'denied'],
  ['Safari of old', 'NotAllowedError', safari, null, 'denied'],
  ['Safari', 'NotAllowedError', safari, 'prompt', 'dismissed'],
  ['Safari', 'NotAllowedError', safari, 'granted', 'system'],
  ['Safari', 'NotReadableError', 'The I/O read operation failed.', 'granted', 'busy'],
  ['Safari', 'NotFoundError', 'The object can not be found here.', 'prompt', 'absent'],
  ['Chrome of old', 'PermissionDeniedError', '', null, 'denied'],
  ['Chrome of old', 'DevicesNotFoundError', '', null, 'absent'],
  ['Chrome of old', 'TrackStartError', '', null, 'busy'],
] as const)('%s with %s "%s" and the permission %s means %s', (_browser, name, message, permission, trouble) => {
  expect(troubleOf({ name, message, permission, isSecure: true })).toBe(trouble)
})

test.each(['SecurityError', 'TypeError', 'NotAllowedError', 'NotFoundError'])(
  'on a page without https every error (%s) means an insecure page',
  (name) => {
    expect(troubleOf({ name, message: '', permission: 'denied', isSecure: false })).toBe('insecure')
  },
)
