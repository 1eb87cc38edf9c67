import type { CompiledMessage } from '@lingui/message-utils/compileMessage'

/** A sentence with something to fill in, as the build compiled it. */
export type FilledMessage = { tokens: CompiledMessage; format(values: Values): string }

/** What the build makes of a sentence: itself, or its parts where something is filled in. */
export type Messages = Readonly<Record<string, string | FilledMessage>>

/** The other languages' version of a file: the same keys, each with a sentence. */
export type Translation<English> = { readonly [Key in keyof English]: string }

/** The names in braces. The branches of a plural, which ends its sentence, are not read. */
export type Placeholders<Sentence> = Sentence extends `${string}{${infer Inside}}${infer Rest}`
  ? Inside extends `${infer Name}, plural,${string}`
    ? Name
    : Inside | Placeholders<Rest>
  : never

export type Values = Readonly<Record<string, string | number>>
