import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import { icu } from './icu.ts'
import type { FilledMessage, Messages } from './messages.ts'

const accented: Readonly<Record<string, string>> = {
  a: 'áá',
  c: 'ç',
  e: 'éé',
  i: 'íí',
  n: 'ñ',
  o: 'óó',
  s: 'š',
  u: 'úú',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
}

/** Right-to-left marks around an override, so that the letters of a word run from right to left in any context. */
const open = '\u200f\u202e'
const close = '\u202c\u200f'

/** Makes each word longer, accented and mirrored. Tags such as `<terms>` stay as they are. */
function mirrorText(text: string): string {
  return text.replace(/<[^>]*>|\p{L}+/gu, (part) =>
    part.startsWith('<') ? part : open + [...part].map((letter) => accented[letter] ?? letter).join('') + close,
  )
}

function mirrorTokens(tokens: CompiledMessage): CompiledMessage {
  return tokens.map((token) => {
    if (typeof token === 'string') return token === '#' ? token : mirrorText(token)
    const [name, type, branches] = token
    if (type !== 'plural' || typeof branches !== 'object' || branches === null) return token
    const mirrored = Object.entries(branches).map(([rule, branch]) => [
      rule,
      Array.isArray(branch) ? mirrorTokens(branch) : branch,
    ])
    return [name, type, Object.fromEntries(mirrored)]
  })
}

function mirrorMessage(message: string | FilledMessage): string | FilledMessage {
  return typeof message === 'string' ? mirrorText(message) : icu('en', mirrorTokens(message.tokens))
}

/** Returns the texts of the pseudo-language, made from English. */
export function mirror(english: Messages): Messages {
  return Object.fromEntries(Object.entries(english).map(([key, message]) => [key, mirrorMessage(message)]))
}
