/**
 * Checks of the few values that the first screen reads from outside: page configuration, cookies, messages of workers, stored choices. The
 * schema library, which parses everything else (`parse.ts`), is larger than all these checks and loads with a later screen. Nothing that
 * loads before the first screen may import that library: `tests/e2e/first-script.test.ts`.
 */
export type Check<T> = (value: unknown) => value is T

/** The type that a check accepts. */
export type Checked<C> = C extends Check<infer T> ? T : never

export const isText: Check<string> = (value) => typeof value === 'string'
export const isFlag: Check<boolean> = (value) => typeof value === 'boolean'
export const isNumber: Check<number> = (value): value is number => typeof value === 'number' && !Number.isNaN(value)
export const isAnything: Check<unknown> = (_value): _value is unknown => true

/** An absolute address of a page. */
export const isLink: Check<string> = (value): value is string => isText(value) && /^https?:\/\/./i.test(value)

export function isOneOf<const T extends string>(options: readonly T[]): Check<T> {
  return (value): value is T => options.some((option) => option === value)
}

export function isNullOr<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value)
}

/** A list of at most `max` items. Its length is checked before its items. */
export function isListOf<T>(item: Check<T>, max: number): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.length <= max && value.every(item)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object of at most `max` keys with any names. The number of keys is checked before the values. */
export function isRecordOf<T>(item: Check<T>, max: number): Check<Record<string, T>> {
  return (value): value is Record<string, T> => {
    if (!isObject(value)) return false
    const values = Object.values(value)
    return values.length <= max && values.every(item)
  }
}

/** An object with these fields; other fields are ignored. */
export function isObjectOf<const F extends Record<string, Check<unknown>>>(
  fields: F,
): Check<{ [Name in keyof F]: Checked<F[Name]> }> {
  const all = Object.entries(fields)
  return (value): value is { [Name in keyof F]: Checked<F[Name]> } =>
    isObject(value) && all.every(([name, check]) => check(value[name]))
}
