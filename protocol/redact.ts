/**
 * What a log line must not carry, whoever wrote it: each is replaced by its name in angle brackets. The browser cleans what it
 * writes, and the server cleans what anybody sends; so no pattern may begin in the middle of what it runs over, or a line made for
 * it would keep the server busy.
 */
const secrets: readonly [RegExp, string][] = [
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '<token>'],
  // What is named as one, whatever its length; the value ends where a header, a query or a JSON text goes on.
  [/\b(Bearer|Basic) {1,4}[^\s"',;]+/gi, '$1 <token>'],
  [
    /\b(\w*(?:token|secret|password|credential|cookie|signed_request))(["']?\s?[=:]\s?["']?)[^\s"'&,;<>]{6,}/gi,
    '$1$2<token>',
  ],
  // Letters of any script, and the sign as it stands in a query or a cookie.
  [
    /(?<![\p{L}\p{N}_.!#$%&'*+/=?^`{|}~-])[\p{L}\p{N}_.!#$%&'*+/=?^`{|}~-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
    '<e-mail>',
  ],
  // Lines of a session description, and candidates, which name network addresses.
  [/^(?:[abcimorstuvz]=|candidate:).*$/gm, '<sdp>'],
  [/\bcandidate:\S{1,64} \d .*$/gm, '<sdp>'],
  [/\bdata:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*,\S*/gi, '<encoded>'],
  // Longer than a UUID and shorter than the product's shortest token.
  [/[A-Za-z0-9+/_-]{40,}={0,2}/g, '<encoded>'],
]

/** The text without tokens, e-mail addresses, session descriptions and encoded data that can be told by their looks. */
export function redact(text: string): string {
  return secrets.reduce((clean, [secret, name]) => clean.replace(secret, name), text)
}
