import { expect, test } from 'vitest'
import { IDENTITY_SDKS } from '#protocol/identity-sdks.ts'
import { mayBeCode } from '../../../src/app/script-address.ts'

const page = 'https://waggle.example/login'
const { google, facebook } = IDENTITY_SDKS

test.each([
  '/assets/network.worker-abc.js',
  '/service-worker.js',
  'https://waggle.example/x.js',
  'https://waggle.example:443/x',
])('%s is own code', (address) => expect(mayBeCode(address, page, [])).toBe(true))

test.each([
  'https://evil.example/x.js',
  '//evil.example/x.js',
  'https://waggle.example.evil.example/x.js',
  'https://waggle.example:8443/x.js',
  'http://waggle.example/x.js',
  'data:text/javascript,alert(1)',
  'blob:https://evil.example/1',
  'javascript:alert(1)',
  'https://',
  google.script,
  facebook.script,
])('%s is not', (address) => expect(mayBeCode(address, page, [])).toBe(false))

test('a configured provider may load its own scripts, and nothing else of its host', () => {
  const both = [google.below, facebook.below]
  expect(mayBeCode(google.script, page, both)).toBe(true)
  expect(mayBeCode(`${facebook.script}?hash=1`, page, both)).toBe(true)
  expect(mayBeCode('https://accounts.google.com/o/oauth2/x.js', page, both)).toBe(false)
  expect(mayBeCode('https://connect.facebook.net.evil.example/x.js', page, both)).toBe(false)
  expect(mayBeCode(facebook.script, page, [google.below])).toBe(false)
})
