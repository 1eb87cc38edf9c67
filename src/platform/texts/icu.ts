import { setupI18n } from '@lingui/core'
import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import type { FilledMessage } from './messages.ts'

/** A sentence that depends on a number, as the build compiled it. Only files with such a sentence load this module. */
export function icu(language: string, tokens: CompiledMessage): FilledMessage {
  const i18n = setupI18n({ locale: language, messages: { [language]: { sentence: tokens } } })
  return { tokens, format: (values) => i18n._('sentence', values) }
}
