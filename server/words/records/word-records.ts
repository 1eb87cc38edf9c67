import type { Database } from '../../platform/database/database.ts'
import { changesRow, countRows } from '../../platform/database/row-counts.ts'
import type { RefusedWords } from '../rules/refused-phrases.ts'

export function createWordRecords(db: Database) {
  const refusedWords: RefusedWords = {
    all: () => db.selectFrom('refusedWords').select(['word', 'moderator', 'at']).orderBy('word').execute(),

    async add(word, max) {
      if ((await countRows(db.selectFrom('refusedWords'))) >= max) return false
      return changesRow(
        db
          .insertInto('refusedWords')
          .values(word)
          .onConflict((conflict) => conflict.column('word').doNothing()),
      )
    },

    remove: (word) => changesRow(db.deleteFrom('refusedWords').where('word', '=', word)),
  }
  return { refusedWords }
}
