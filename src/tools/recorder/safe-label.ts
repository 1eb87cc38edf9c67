const LENGTH_MAX = 80
/** Matches network addresses, e-mail addresses, links, and words as long as a key or a token. */
const secret =
  /\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:[\da-f]{0,4}:){2,}[\da-f]{0,4}|\S+@\S+|\b[a-z]+:\/\/\S+|[\w-]+\.local\b|[\w-]{32,}/gi

/** Matches names of hub methods, which may be as long as a token. They are capitalised words without digits. */
const methodName = /^(?:[A-Z][a-z]+){3,12}$/

/** Returns the label without parts that could identify a person or a connection. */
export function safeLabel(label: string): string {
  return label.replace(secret, (found) => (methodName.test(found) ? found : '[hidden]')).slice(0, LENGTH_MAX)
}
