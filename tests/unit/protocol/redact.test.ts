import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact } from '#protocol/redact.ts'

const words = fc.stringMatching(/^[a-z ]{0,20}$/)
const base64url = (min: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9_-]{${min},80}$`))

test('tokens, email addresses, session descriptions and encoded data are removed at any position', () => {
  const token = fc.tuple(base64url(20), base64url(20), base64url(20)).map((parts) => `eyJ${parts.join('.')}`)
  const address = fc.emailAddress()
  const sdp = fc.constantFrom(
    'a=ice-pwd:asd88fgpdd777uzjYhagZg',
    'c=IN IP4 192.168.1.20',
    'a=fingerprint:sha-256 7B:8B',
  )
  const candidate = fc.constant('candidate:842163049 1 udp 1677729535 192.168.1.20 46154 typ srflx')
  const frame = base64url(40)
  fc.assert(
    fc.property(words, fc.oneof(token, address, candidate, frame), words, (before, secret, after) => {
      expect(redact(`${before} ${secret} ${after}`)).not.toContain(secret)
    }),
  )
  fc.assert(
    fc.property(words, sdp, words, (before, secret, after) => {
      expect(redact(`${before}\r\n${secret}\r\n${after}`)).not.toContain(secret)
    }),
  )
})

test('other text is not changed', () => {
  for (const text of [
    'The peer connection is connected',
    'HandleOffer was refused: not-in-match (the session is not yours or over)',
    'Access token not found or could not be renewed. (1003: network-error)',
    'match 8f14e45f-ceea-467f-9c3b-6b4d2a7e1f00',
  ])
    expect(redact(text)).toBe(text)
})

test.each([
  ['ada%40example.org', '/api/users/block/get?userEmailAddress=ada%40example.org'],
  ['zoë@bücher.example', 'no answer for zoë@bücher.example'],
  ['ya29.a0Af-short', 'Authorization: Bearer ya29.a0Af-short'],
  ['s3cr3t-value', 'GET /x?access_token=s3cr3t-value&y=1'],
  ['abcdefgh1', '{"sourceAccessToken":"abcdefgh1","y":1}'],
  ['QUJDREVGR0g', 'signed_request=QUJDREVGR0g'],
  ['abc123def456', 'cookie: abc123def456'],
  ['iVBORw0KGgo', 'failed to load data:image/png;base64,iVBORw0KGgo'],
  ['aGVsbG8gd29ybGQsIGhvdyBhcmUgeW91IHRvZGF5', 'chat aGVsbG8gd29ybGQsIGhvdyBhcmUgeW91IHRvZGF5'],
])('%s is removed from a line', (secret, line) => {
  expect(redact(line)).not.toContain(secret)
})

test('a token of the product is long enough to be recognised', () => {
  const token = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64url')
  expect(redact(`refused ${token}`)).toBe('refused <encoded>')
})
