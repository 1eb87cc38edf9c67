import type { FilledMessage } from './messages.ts'

/** Returns a compiled sentence with unformatted values. `tokens`: words, and each value's name in a list. */
export function filled(tokens: (string | [name: string])[]): FilledMessage {
  return {
    tokens,
    format: (values) => tokens.map((token) => (typeof token === 'string' ? token : values[token[0]])).join(''),
  }
}
