import { type Kysely, sql } from 'kysely'
import { StoreError } from '../store-error.ts'

/** What PostgreSQL stores in a column. SQLite would store anything in it. */
type ColumnKind = 'text' | 'integer' | 'real' | 'blob'
type Column = {
  name: string
  kind: ColumnKind
  /** Of an integer. */
  bits: 32 | 64
  isNullable: boolean
  /** PostgreSQL numbers new rows by a sequence of its own. */
  isNumbered: boolean
}
export type Table = { name: string; columns: Column[] }

/** Integers are decimal digits, because some are above 2^53. */
export type Value = string | number | Uint8Array | null
/** The values of a table's columns, in their order. */
export type Row = Value[]

/** One of the two databases of a move, in a transaction. */
export type Side = {
  rows(table: Table): AsyncIterable<Row[]>
  add(table: Table, rows: Row[]): Promise<void>
}

const kinds: Record<string, Pick<Column, 'kind' | 'bits'>> = {
  text: { kind: 'text', bits: 64 },
  integer: { kind: 'integer', bits: 32 },
  bigint: { kind: 'integer', bits: 64 },
  'double precision': { kind: 'real', bits: 64 },
  bytea: { kind: 'blob', bits: 64 },
}

/** Rows that are read or written at once: few where one may have megabytes. */
export function pageSize({ columns }: Table): number {
  return columns.some(({ kind }) => kind === 'blob') ? 10 : 500
}

/** Sorts tables so that each comes after those that it refers to. */
function sortByReferences(tables: Table[], references: { from: string; to: string }[]): Table[] {
  const sorted: Table[] = []
  while (sorted.length < tables.length) {
    const waits = (name: string) =>
      references.some(({ from, to }) => from === name && to !== name && !sorted.some((one) => one.name === to))
    const ready = tables.filter((table) => !sorted.includes(table) && !waits(table.name))
    if (ready.length === 0) throw new StoreError('The tables refer to each other in a circle')
    sorted.push(...ready)
  }
  return sorted
}

/** Reads the tables of a PostgreSQL database, without those of the migrator. */
export async function readTables(db: Kysely<unknown>): Promise<Table[]> {
  const { rows } = await sql<Record<'table' | 'name' | 'type' | 'nullable' | 'numbered', string>>`
    select columns.table_name as "table", column_name as name, data_type as type, is_nullable as nullable,
      is_identity as numbered
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name not like 'kysely\\_%'
    order by table_name, ordinal_position`.execute(db)
  const tables = new Map<string, Table>()
  for (const { table: of, name, type, nullable, numbered } of rows) {
    const stored = kinds[type]
    if (!stored) throw new StoreError(`${of}.${name} has the type ${type}, which cannot be moved`)
    const table = tables.get(of) ?? { name: of, columns: [] }
    tables.set(of, table)
    table.columns.push({ name, ...stored, isNullable: nullable === 'YES', isNumbered: numbered === 'YES' })
  }
  const references = await sql<{ from: string; to: string }>`
    select referring.relname as "from", referred.relname as "to" from pg_constraint
    join pg_class as referring on referring.oid = conrelid join pg_class as referred on referred.oid = confrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(db)
  return sortByReferences([...tables.values()], references.rows)
}

export async function countRows(db: Kysely<unknown>, { name }: Pick<Table, 'name'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db)
  return Number(rows[0]?.count)
}

/** Appends rows whose values are `parameters` of the driver. */
export async function insertRows(
  db: Kysely<unknown>,
  { name, columns }: Table,
  parameters: unknown[][],
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.id(column.name)))
  const lists = sql.join(parameters.map((row) => sql`(${sql.join(row)})`))
  await sql`insert into ${sql.table(name)} (${names}) values ${lists}`.execute(db)
}
