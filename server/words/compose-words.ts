import type { Platform } from '../platform/platform.ts'
import { createWordRecords } from './records/word-records.ts'
import { createWordChecks } from './rules/word-checks.ts'

/** Checks of the words that people write where others read them without having asked. */
export function composeWords({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  const { refusedWords } = database.records(createWordRecords)
  return { refusedWords, words: createWordChecks(refusedWords, clock) }
}
