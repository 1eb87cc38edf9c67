import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeChat, encodeChat } from '#workers/media/chat-codec.ts'

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
/** UTF-16 code units, so that lone surrogates occur. */
const brokenText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))

function holdsFor(texts: fc.Arbitrary<string>, check: (text: string) => void): void {
  fc.assert(fc.property(texts, check))
}

test('any text comes back as it was', () => {
  holdsFor(anyText, (text) => {
    expect(decodeChat(encodeChat(text))).toBe(text)
  })
})

test('a lone surrogate comes back as the replacement character', () => {
  holdsFor(brokenText, (text) => {
    expect(decodeChat(encodeChat(text))).toBe(text.toWellFormed())
  })
})

test('what is sent is the base64 of the UTF-8', () => {
  holdsFor(anyText, (text) => {
    expect(encodeChat(text)).toBe(Buffer.from(text, 'utf8').toString('base64'))
  })
})

test('text that is not base64 of UTF-8 is not changed', () => {
  holdsFor(anyText, (text) => {
    const shown = decodeChat(text)
    expect(shown === text || encodeChat(shown) === text).toBe(true)
  })
})

test.for([
  'test',
  'good',
  'help',
  'hello',
  'see you',
  'TWF=',
  'aGk',
  'aGk =',
  ' aGk=',
  'aGk=\n',
  '/w==',
  '====',
  'häh=',
])("'%s' is shown as it is", (text) => {
  expect(decodeChat(text)).toBe(text)
})

test('a message that is itself base64 is decoded once only', () => {
  expect(decodeChat(encodeChat('aGk='))).toBe('aGk=')
})

test('a leading byte order mark is part of the message', () => {
  expect(decodeChat(encodeChat('\uFEFFhi'))).toBe('\uFEFFhi')
})
