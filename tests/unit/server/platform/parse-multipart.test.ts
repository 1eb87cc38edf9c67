import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundaryOf, parseMultipart } from '../../../../server/platform/http/parse-multipart.ts'
import { readForm } from '../../../../server/platform/http/read-form.ts'

const TYPE = 'multipart/form-data; boundary=b0'
const LIMITS = { fileName: 'VideoFrame', limit: 100 }

const field = (name: string, value: string) =>
  `--b0\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, content: string) =>
  `--b0\r\nContent-Disposition: form-data; name="${name}"; filename="f.jpg"\r\nContent-Type: image/jpeg\r\n\r\n${content}\r\n`
const END = '--b0--\r\n'
const read = (text: string, type = TYPE) => readForm(Buffer.from(text), type, LIMITS)

test('what the platform writes is read as it was, whatever the file holds', async () => {
  const texts = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll(/\r\n|\r|\n/g, '\r\n'))
  const contents = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc.constantFrom('', '\r\n', '\r\n--', '--', '\r\n\r\n').map((text) => new Uint8Array(Buffer.from(text))),
  )
  await fc.assert(
    fc.asyncProperty(texts, texts, contents, async (one, other, content) => {
      const form = new FormData()
      form.append('EmailAddress', one)
      form.append('VideoFrame', new Blob([Buffer.from(content)]), 'frame "1".jpg')
      form.append('UserSessionId', other)
      const sent = new Response(form)
      const body = Buffer.from(await sent.arrayBuffer())
      const { fields, file } = readForm(body, sent.headers.get('content-type') ?? '', LIMITS)
      expect(fields).toEqual({ EmailAddress: one, UserSessionId: other })
      expect(Buffer.compare(Buffer.from(file ?? []), Buffer.from(content))).toBe(0)
    }),
  )
})

test('a file is not there, or empty', () => {
  expect(read(field('a', '1') + END)).toEqual({ fields: { a: '1' }, file: null })
  expect(read(file('VideoFrame', '') + END).file).toHaveLength(0)
  expect(read(END)).toEqual({ fields: {}, file: null })
})

test.each([
  ['no boundary', field('a', '1') + END, 'multipart/form-data'],
  ['another boundary', field('a', '1') + END, 'multipart/form-data; boundary=b1'],
  [
    'a boundary too long',
    `${field('a', '1')}${END}`.replaceAll('b0', 'b'.repeat(71)),
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
  ],
  ['another text in place of the first boundary', `xxb0${field('a', '1').slice(4)}${END}`, TYPE],
  ['nothing', '', TYPE],
  ['text before the first part', `x${field('a', '1')}${END}`, TYPE],
  ['no end', field('a', '1'), TYPE],
  ['a part without a head', `--b0\r\n\r\nx\r\n${END}`, TYPE],
  ['a part without a name', `--b0\r\nContent-Disposition: form-data\r\n\r\nx\r\n${END}`, TYPE],
  [
    'a head that never ends',
    `--b0\r\nContent-Disposition: form-data; name="a${'x'.repeat(2_000)}"\r\n\r\nx\r\n${END}`,
    TYPE,
  ],
  ['a name of the language', field('__proto__', '1') + END, TYPE],
  ['a boundary that goes on', `--b0x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n${END}`, TYPE],
])('a form with %s is refused', (_what, text, type) => {
  expect(() => read(text, type)).toThrow('The form cannot be read')
})

test.each([
  ['a field too long', field('a', 'x'.repeat(4_097)) + END, 'too-large', 'a'],
  ['too many fields', field('a', 'x').repeat(21) + END, 'too-large', undefined],
  ['too many parts', field('a', 'x').repeat(2_000), 'too-large', undefined],
  ['a file too large', file('VideoFrame', 'x'.repeat(101)) + END, 'too-large', 'VideoFrame'],
  ['two files', file('VideoFrame', 'x').repeat(2) + END, 'too-large', undefined],
  ['a file of another name', file('Other', 'x') + END, 'bad-request', 'Other'],
])('a form with %s is refused by its limit', (_what, text, code, name) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ code, details: name === undefined ? {} : { field: name } }),
  )
})

test('whatever the bytes are, parsing ends with parts or with null', () => {
  const pieces = fc.constantFrom(
    '--b0',
    '\r\n',
    '--',
    ':',
    'Content-Disposition: form-data; name="a"',
    '; filename="f"',
    'x',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (some) => {
      const parts = parseMultipart(Buffer.from(some.join('')), 'b0', 21)
      if (parts) for (const { name } of parts) expect(name).toBe('a')
    }),
  )
})

test('a boundary may be quoted', () => {
  expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"')).toBe('a b')
  expect(boundaryOf('multipart/form-data; BOUNDARY=ab; x=y')).toBe('ab')
})
