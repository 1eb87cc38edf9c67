/** Lower-cases as SQL's `lower` does: PostgreSQL with the collation C and SQLite change ASCII letters only. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}
