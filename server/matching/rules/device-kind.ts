const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Macintosh', 'CrOS', 'Linux'] as const
/** The more particular first: most browsers also name Chrome and Safari. */
const BROWSERS = [
  'HeadlessChrome',
  'SamsungBrowser',
  'Edg',
  'OPR',
  'Firefox',
  'FxiOS',
  'CriOS',
  'Chrome',
  'Safari',
] as const

/** The kind of device that a User-Agent header names, such as `Android Chrome`; a client may name any. */
export function deviceKind(userAgent: string): string {
  const named = (names: readonly string[]) => names.find((name) => userAgent.includes(name)) ?? 'other'
  return `${named(SYSTEMS)} ${named(BROWSERS)}`
}
