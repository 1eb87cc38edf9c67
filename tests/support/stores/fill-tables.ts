import { DatabaseSync } from 'node:sqlite'

type Column = { name: string; type: string; notnull: number; pk: number }
type Reference = { table: string; from: string; to: string }

const ROWS = 12
const texts = ['', 'plain', 'quote \' " \\', '語 Ünï 😀', '\ufeffBOM', '\u2028', '{"json":[true,null]}', '0', 'false']
const integers = [0n, 1n, -1n, 2n ** 31n - 1n, -(2n ** 31n)]
const longIntegers = [...integers, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]
const reals = [0, 0.1, -1.5, 1e308, 5e-324, 1 / 3, 42]

/** Returns a value of the column's type that no other row of the table has. */
function columnValue(
  { name, type: declared, notnull, pk }: Column,
  row: number,
): string | bigint | number | Uint8Array | null {
  const type = declared.toLowerCase()
  if (notnull === 0 && pk === 0 && row % 3 === 2) return null
  if (type === 'blob') return new Uint8Array(row * 100).map((_, at) => at + row)
  if (type === 'real') return reals[row % reals.length] ?? 0
  if (type === 'bigint') return longIntegers[row % longIntegers.length] ?? 0n
  if (type === 'integer') return pk > 0 ? BigInt(row + 1) * 7n : (integers[row % integers.length] ?? 0n)
  if (type === 'text') return `${texts[row % texts.length]}${name}${row}`
  throw new Error(`no values of the type ${type}`)
}

/** Fills every table of a SQLite file, whatever tables there are, with extreme values. Returns the number of rows of each. */
export function fillTables(file: string): Record<string, number> {
  const db = new DatabaseSync(file)
  const all = <T>(query: string) => db.prepare(query).all() as T[]
  const waiting = all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like 'kysely%' and name not like 'sqlite%'",
  ).map(({ name }) => name)
  const filled: Record<string, number> = {}
  while (waiting.length > 0) {
    const name = waiting.shift() ?? ''
    const references = all<Reference>(`select "table", "from", "to" from pragma_foreign_key_list('${name}')`)
    if (references.some(({ table }) => !(table in filled))) {
      waiting.push(name)
      continue
    }
    const columns = all<Column>(`select name, type, "notnull", pk from pragma_table_info('${name}')`)
    for (let row = 0; row < ROWS; row += 1) {
      let used = 0
      const values = columns.map((column) => {
        const reference = references.find(({ from }) => from === column.name)
        if (!reference) return columnValue(column, row)
        const found = all<Record<string, string>>(
          `select "${reference.to}" as value from "${reference.table}" order by rowid`,
        )
        used += 1
        return found[(row + used) % found.length]?.value ?? null
      })
      const names = columns.map((column) => `"${column.name}"`).join()
      db.prepare(`insert into "${name}" (${names}) values (${columns.map(() => '?').join()})`).run(...values)
    }
    filled[name] = ROWS
  }
  db.close()
  return filled
}

/** Returns all rows of all tables, exactly as SQLite writes them with their types. */
export function dumpTables(file: string): Record<string, string[]> {
  const db = new DatabaseSync(file, { readOnly: true })
  const all = <T>(query: string) => db.prepare(query).all() as T[]
  const tables = all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like 'kysely%' and name not like 'sqlite%' order by name",
  )
  const dump = tables.map(({ name }) => {
    const columns = all<Column>(`select name from pragma_table_info('${name}')`).map(
      (column) => `typeof("${column.name}") || quote("${column.name}")`,
    )
    const rows = all<{ row: string }>(`select ${columns.join(" || ',' || ")} as row from "${name}"`)
    return [name, rows.map(({ row }) => row).sort()] as const
  })
  db.close()
  return Object.fromEntries(dump)
}
