import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanNickname, nicknameError } from '../../../src/account/rules/nickname.ts'

// Rules: docs/product.md WELCOME-4.

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })

test('cleaned text has letters and single spaces, none in front', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      expect(cleanNickname(typed)).toMatch(/^(?:[\p{L}\p{M}\u200c\u200d]+ ?)*$/u)
    }),
  )
})

test('cleaning twice changes nothing more', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      expect(cleanNickname(cleanNickname(typed))).toBe(cleanNickname(typed))
    }),
  )
})

test('cleaned text can only be missing or too long', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      expect([null, 'missing', 'too-long']).toContain(nicknameError(cleanNickname(typed)))
    }),
  )
})

const unseen = ['\u3164', '\uffa0', '\u115f', '\u1160', '\u17b4', '\u034f', '\ufe0f', '\u180b', '\u{e0100}']

test.each<[string, string | null]>([
  ['', 'missing'],
  [' ', 'missing'],
  ['a'.repeat(31), 'too-long'],
  ['a'.repeat(30), null],
  ['Ada1', 'letters'],
  ['Ada  Bo', 'letters'],
  ['Ada Bo', null],
  ['José Ñandú', null],
  ['नमस्ते', null],
  ['李小龙', null],
  // A joiner within a Persian word, and with an Indian script; several marks on a letter.
  ['می\u200cخواهم', null],
  ['क्\u200dष', null],
  ['Nguyễn Thị'.normalize('NFD'), null],
  ['น้ำทิพย์', null],
  ['שָׁלוֹם', null],
  ['\u200c', 'missing'],
  // Nobody can see these.
  ...unseen.flatMap((sign): [string, string][] => [
    [sign, 'letters'],
    [`${sign}Admin`, 'letters'],
    [`Ad${sign}min`, 'letters'],
  ]),
  ['\u0301', 'letters'],
  ['\u200dAdmin', 'letters'],
  ['Ad\u200cmin', 'letters'],
  [`A${'\u0301'.repeat(5)}`, 'letters'],
])('%j gives %j', (typed, message) => {
  expect(nicknameError(typed)).toBe(message)
})
