import { isUtf8 } from 'node:buffer'
import { type Kysely, sql } from 'kysely'
import { StoreError } from '../store-error.ts'
import { insertRows, pageSize, type Row, type Side, type Table, type Value } from './tables.ts'

/** SQLite stores any value in any column, and any bytes as text. */

type Column = Table['columns'][number]

/** Returns SQL that is 1 for a value that PostgreSQL cannot store in this column. */
function isWrong({ name, kind, bits, isNullable }: Column) {
  const value = sql.id(name)
  const types = kind === 'real' ? ['real', 'integer'] : [kind]
  const otherType = sql`typeof(${value}) not in (${sql.join(types.map((type) => sql.lit(type)))})`
  const tooLarge =
    kind === 'integer' && bits === 32 ? sql` or ${value} not between -2147483648 and 2147483647` : sql.raw('')
  return isNullable
    ? sql`(${value} is not null and (${otherType}${tooLarge}))`
    : sql`(${value} is null or ${otherType}${tooLarge})`
}

/** Rejects with StoreError if the tables of SQLite differ from these, or have values of a type that PostgreSQL cannot store. */
export async function checkContents(db: Kysely<unknown>, tables: Table[]): Promise<void> {
  const problems: string[] = []
  for (const { name, columns } of tables) {
    const { rows: found } = await sql<{ name: string }>`select name from pragma_table_info(${name})`.execute(db)
    const [ours, theirs] = [found, columns].map((list) =>
      list
        .map((column) => column.name)
        .sort()
        .join(),
    )
    if (ours !== theirs) throw new StoreError(`The table ${name} differs between the two databases`)
    const counts = columns.map((column) => sql`sum(${isWrong(column)}) as ${sql.id(column.name)}`)
    const { rows } = await sql<Record<string, number | null>>`
      select ${sql.join(counts)} from ${sql.table(name)}`.execute(db)
    for (const [column, count] of Object.entries(rows[0] ?? {}))
      if (count) problems.push(`${name}.${column} (${count})`)
  }
  if (problems.length > 0)
    throw new StoreError(`Rows with a value that PostgreSQL cannot store in that column: ${problems.join(', ')}`)
}

export async function sqliteTableNames(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'
      and name not like 'kysely\\_%' escape '\\' order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Reads a value without a loss: the driver refuses large integers and alters bytes that are no text. */
function readable({ name, kind }: Column) {
  const value = sql.id(name)
  if (kind === 'text') return sql`cast(${value} as blob) as ${value}`
  if (kind === 'integer') return sql`cast(${value} as text) as ${value}`
  return value
}

/** `onAltered` is called for each text that had to be changed, because PostgreSQL does not store it. */
export function sqliteSide(db: Kysely<unknown>, onAltered: (column: string) => void): Side {
  /** As the server writes it to PostgreSQL, and reads it from SQLite. */
  function decode(bytes: Uint8Array, column: string): string {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    if (isUtf8(bytes) && !text.includes('\0')) return text
    onAltered(column)
    return text.replaceAll('\0', '\ufffd')
  }

  function rowOf(values: Record<string, Value>, { name, columns }: Table): Row {
    return columns.map((column) => {
      const value = values[column.name] ?? null
      return column.kind === 'text' && value instanceof Uint8Array ? decode(value, `${name}.${column.name}`) : value
    })
  }

  return {
    async *rows(table) {
      const columns = sql.join(table.columns.map(readable))
      let last: string | null = null
      for (;;) {
        const after: ReturnType<typeof sql> = last === null ? sql`` : sql`where rowid > cast(${last} as integer)`
        const { rows } = await sql<Record<string, Value>>`
          select cast(rowid as text) as "row number", ${columns} from ${sql.table(table.name)} ${after}
          order by rowid limit ${sql.lit(pageSize(table))}`.execute(db)
        if (rows.length === 0) return
        last = String(rows.at(-1)?.['row number'])
        yield rows.map((row) => rowOf(row, table))
      }
    },
    add: (table, rows) =>
      insertRows(
        db,
        table,
        rows.map((row) =>
          row.map((value, at) =>
            table.columns[at]?.kind === 'integer' && typeof value === 'string' ? BigInt(value) : value,
          ),
        ),
      ),
  }
}
