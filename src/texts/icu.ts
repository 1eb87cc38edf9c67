import { setupI18n } from '@lingui/core'
import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import type { Values } from './messages.ts'

export type IcuMessage = { tokens: CompiledMessage; format(values: Values): string }

/** A sentence with something to fill in, as the build compiled it; only files that have one bring this module along. */
export function icu(language: string, tokens: CompiledMessage): IcuMessage {
  const i18n = setupI18n({ locale: language, messages: { [language]: { sentence: tokens } } })
  return { tokens, format: (values) => i18n._('sentence', values) }
}
