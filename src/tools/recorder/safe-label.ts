const LENGTH_MAX = 80
/** Addresses of the network, e-mail addresses, links, and what is as long as a key or a token. */
const secret =
  /\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:[\da-f]{0,4}:){2,}[\da-f]{0,4}|\S+@\S+|\b[a-z]+:\/\/\S+|[\w-]+\.local\b|[\w-]{32,}/gi

/** Methods of the hub have names as long as a token, of words with capitals and without digits. */
const methodName = /^(?:[A-Z][a-z]+){3,12}$/

/** Returns the label without what could identify a person or a connection. */
export function safeLabel(label: string): string {
  return label.replace(secret, (found) => (methodName.test(found) ? found : '[hidden]')).slice(0, LENGTH_MAX)
}
