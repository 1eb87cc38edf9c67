import type { CompiledMessage } from '@lingui/message-utils/compileMessage'

/** A compiled sentence with placeholders. */
export type FilledMessage = { tokens: CompiledMessage; format(values: Values): string }

/** Compiled sentences: the sentence itself, or its parts if it has placeholders. */
export type Messages = Readonly<Record<string, string | FilledMessage>>

/** Type of a file of texts in another language: the same keys, each with a sentence. */
export type Translation<English> = { readonly [Key in keyof English]: string }

/** The names in braces. The branches of a plural, which ends its sentence, are not read. */
export type Placeholders<Sentence> = Sentence extends `${string}{${infer Inside}}${infer Rest}`
  ? Inside extends `${infer Name}, plural,${string}`
    ? Name
    : Inside | Placeholders<Rest>
  : never

export type Values = Readonly<Record<string, string | number>>
