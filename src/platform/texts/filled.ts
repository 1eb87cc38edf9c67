import type { FilledMessage } from './messages.ts'

/** A sentence with values but no plural, as the build compiled it: words, and for each value its name in a list. */
export function filled(tokens: (string | [name: string])[]): FilledMessage {
  return {
    tokens,
    format: (values) => tokens.map((token) => (typeof token === 'string' ? token : values[token[0]])).join(''),
  }
}
