import type { FilledMessage } from './messages.ts'

/** A sentence whose values stand in it as they are, as the build compiled it: words, and the name of each value in a list. */
export function filled(tokens: (string | [name: string])[]): FilledMessage {
  return {
    tokens,
    format: (values) => tokens.map((token) => (typeof token === 'string' ? token : values[token[0]])).join(''),
  }
}
