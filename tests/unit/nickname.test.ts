import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanNickname, nicknameError } from '../../src/domain/nickname.ts'

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })

test('cleaned text has letters and single spaces, none in front', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      expect(cleanNickname(typed)).toMatch(/^(?:[\p{L}\p{M}]+ ?)*$/u)
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

test.each([
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
])('%j gives %j', (typed, message) => {
  expect(nicknameError(typed)).toBe(message)
})
