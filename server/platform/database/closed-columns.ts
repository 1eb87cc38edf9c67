import type { KyselyPlugin, QueryResult, UnknownRow } from 'kysely'
import type * as v from 'valibot'
import { genderSchema, languageSchema, providerSchema } from '#protocol/fields.ts'
import { blockStatusSchema } from '#protocol/moderation.ts'
import { parse } from '#protocol/parse.ts'

/** The columns with a closed set of values; a column of this name has these values in every table. */
const closedColumns: readonly (readonly [string, v.GenericSchema])[] = [
  ['fromStatus', blockStatusSchema],
  ['gender', genderSchema],
  ['language', languageSchema],
  ['provider', providerSchema],
  ['status', blockStatusSchema],
]

/**
 * Refuses rows with a value that this version does not know, such as one that a newer server wrote. In all other
 * columns the database itself ensures the type.
 */
export const closedColumnsPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }): Promise<QueryResult<UnknownRow>> {
    for (const row of result.rows)
      for (const [column, schema] of closedColumns) {
        const value = row[column]
        if (value !== undefined && value !== null) parse(schema, value)
      }
    return result
  },
}
