import type { FilledMessage } from './messages.ts'

/**
 * Returns a compiled sentence whose values are inserted unchanged. `tokens` are its words, and the name of each value
 * in a list.
 */
export function filled(tokens: (string | [name: string])[]): FilledMessage {
  return {
    tokens,
    format: (values) => tokens.map((token) => (typeof token === 'string' ? token : values[token[0]])).join(''),
  }
}
