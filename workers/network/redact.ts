/** What a log line must not carry, whoever wrote it: each is replaced by its name in angle brackets. */
const secrets: readonly [RegExp, string][] = [
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '<token>'],
  [/[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+/g, '<e-mail>'],
  // Lines of a session description, and candidates, which name network addresses.
  [/^(?:[abcimorstuvz]=|candidate:).*$/gm, '<sdp>'],
  [/\bcandidate:\S+ \d .*$/gm, '<sdp>'],
  [/[A-Za-z0-9+/_-]{48,}={0,2}/g, '<encoded>'],
]

/** The text without tokens, e-mail addresses, session descriptions and encoded data that can be told by their looks. */
export function redact(text: string): string {
  return secrets.reduce((clean, [secret, name]) => clean.replace(secret, name), text)
}
