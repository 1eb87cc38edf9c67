import type { Database } from '../../platform/database/database.ts'
import type { RefusedWords } from '../rules/ports.ts'

function createRefusedWords(db: Database): RefusedWords {
  return {
    all: () => db.selectFrom('refusedWords').select(['word', 'moderator', 'at']).orderBy('word').execute(),

    async add(word, max) {
      const { count } = await db
        .selectFrom('refusedWords')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= max) return false
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('refusedWords')
        .values(word)
        .onConflict((conflict) => conflict.column('word').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    async remove(word) {
      const { numDeletedRows } = await db.deleteFrom('refusedWords').where('word', '=', word).executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}

export function createWordRecords(db: Database) {
  return { refusedWords: createRefusedWords(db) }
}
