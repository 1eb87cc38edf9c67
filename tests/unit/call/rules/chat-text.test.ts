import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canBeSeen, withoutSurplusMarks } from '../../../../src/call/rules/chat-text.ts'

// Rules: docs/product.md CHAT-1.

test.each([
  'नमस्ते',
  'กำลังน้ำ',
  'Việt Nam'.normalize('NFD'),
  'שָׁלוֹם',
  'བོད་སྐད',
  '👩🏽‍🚀 ❤️',
  'Grüße',
  '\u{1faeb}',
  '\u{f8ff}',
])('%s is left as it is, and can be seen', (text) => {
  expect(withoutSurplusMarks(text)).toBe(text)
  expect(canBeSeen(text)).toBe(true)
})

test('a letter keeps eight marks', () => {
  expect(withoutSurplusMarks(`Z${'\u0301'.repeat(100)}a${'\u0323'.repeat(8)}`)).toBe(
    `Z${'\u0301'.repeat(8)}a${'\u0323'.repeat(8)}`,
  )
})

test('nothing is seen of spaces, fillers, joiners and lone marks', () => {
  const unseen = fc.constantFrom(
    ' ',
    '\u3164',
    '\uffa0',
    '\u115f',
    '\u1160',
    '\u200d',
    '\u200b',
    '\u0301',
    '\n',
    '\u2003',
    '\u2800',
  )
  fc.assert(fc.property(fc.string({ unit: unseen, maxLength: 20 }), (text) => !canBeSeen(text)))
  const seen = fc.constantFrom('a', '1', '?', '🙂', 'é')
  fc.assert(fc.property(fc.string({ unit: unseen }), seen, (text, last) => canBeSeen(text + last)))
})
