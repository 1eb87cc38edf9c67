/** As the records' own `lower` does: PostgreSQL with the collation C and SQLite know capitals of ASCII alone. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}
