/**
 * What a log line must not contain; each match is replaced by the name beside its pattern. The browser redacts what it writes, the server
 * what clients send. A pattern must not be able to start in the middle of its own match, or a crafted line would make matching quadratic.
 */
const secrets: readonly [RegExp, string][] = [
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '<token>'],
  // A value that follows the name of a secret, of any length; it ends where a header, a query or a JSON text goes on.
  [/\b(Bearer|Basic) {1,4}[^\s"',;]+/gi, '$1 <token>'],
  [
    /\b(\w*(?:token|secret|password|credential|cookie|signed_request))(["']?\s?[=:]\s?["']?)[^\s"'&,;<>]{6,}/gi,
    '$1$2<token>',
  ],
  // Letters of any script; '%40' is '@' in a query or a cookie.
  [
    /(?<![\p{L}\p{N}_.!#$%&'*+/=?^`{|}~-])[\p{L}\p{N}_.!#$%&'*+/=?^`{|}~-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
    '<e-mail>',
  ],
  // Lines of a session description, and ICE candidates, which contain network addresses.
  [/^(?:[abcimorstuvz]=|candidate:).*$/gm, '<sdp>'],
  [/\bcandidate:\S{1,64} \d .*$/gm, '<sdp>'],
  [/\bdata:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*,\S*/gi, '<encoded>'],
  // 40 characters: more than a UUID has, fewer than the product's shortest token has.
  [/[A-Za-z0-9+/_-]{40,}={0,2}/g, '<encoded>'],
]

/** Returns the text without recognisable tokens, email addresses, session descriptions and encoded data. */
export function redact(text: string): string {
  return secrets.reduce((clean, [secret, name]) => clean.replace(secret, name), text)
}
