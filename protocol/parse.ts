import * as v from 'valibot'

/**
 * All validation of external data goes through these functions. Validation stops at the first issue, so that its cost does not
 * grow with the number of issues. The length of a list is checked before its items, and the number of keys before the keys.
 */

type Schema = v.GenericSchema<unknown, unknown>

/** Longest message in characters: valibot's default messages quote the value, whatever its length. */
const MESSAGE_MAX = 200

const atFirstIssue = {
  abortEarly: true,
  message: ({ message }: { message: string }) => message.slice(0, MESSAGE_MAX),
} as const

/** Returns the schema's output for the value. Throws a ValiError with one issue. */
export function parse<const S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  return v.parse(schema, value, atFirstIssue)
}

/** Returns the schema's output for the value, or one issue. */
export function tryParse<const S extends Schema>(schema: S, value: unknown): v.SafeParseResult<S> {
  return v.safeParse(schema, value, atFirstIssue)
}

function shortList<const S extends Schema>(_item: S, max: number, message: string) {
  return v.custom<v.InferInput<S>[]>((value) => Array.isArray(value) && value.length <= max, message)
}

/** A list of at most `max` items. `message` is the issue for a longer list and for a value that is no list. */
export function listOf<const S extends Schema>(item: S, max: number, message = `A list has at most ${max} entries`) {
  return v.pipe(shortList(item, max, message), v.array(item))
}

export function nonEmptyListOf<const S extends Schema>(item: S, max: number, message?: string) {
  return v.pipe(shortList(item, max, message ?? `A list has one to ${max} entries`), v.tupleWithRest([item], item))
}

/** Most records in a list: far more than one user or one server message has. */
const RECORDS_MAX = 1_000_000

/** A list that comes from the product's own server or database. */
export function recordsOf<const S extends Schema>(item: S) {
  return listOf(item, RECORDS_MAX)
}

/** Records of which a later version may have more kinds: those that `item` does not accept are left out. */
export function knownRecordsOf<const S extends Schema>(item: S) {
  return v.pipe(
    recordsOf(v.unknown()),
    v.transform((records) =>
      records.flatMap((record) => {
        const parsed = tryParse(item, record)
        return parsed.success ? [parsed.output] : []
      }),
    ),
  )
}

/** An object of at most `max` keys with any names. */
export function recordOf<const S extends Schema>(item: S, max: number) {
  return v.pipe(
    v.custom<Record<string, v.InferInput<S>>>(
      (value) => typeof value === 'object' && Object.keys(value ?? {}).length <= max,
      `An object has at most ${max} keys`,
    ),
    v.record(v.string(), item),
  )
}
