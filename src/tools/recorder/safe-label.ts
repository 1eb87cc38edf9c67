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

/** `Window.onmessage`, `BUTTON.onclick`, `TimerHandler:setTimeout`, `RTCPeerConnection.getStats.then`. */
const invokerName = /^[A-Za-z]\w*(?:[.:][A-Za-z]\w*)*$/

/** Returns what called a script of a long frame, without ids and addresses; empty if it is nothing else. */
export function safeInvoker(invoker: string): string {
  const name = invoker.replace(/#[^.[\]]*|\[.*\]/g, '')
  return invokerName.test(name) ? name : ''
}

/** The file's name alone: the address names the host, and a query may hold anything. */
export function fileOf(address: string): string {
  const path = address.split(/[?#]/)[0] ?? ''
  return safeFile(path.split('/').at(-1) ?? '')
}

/** A chunk's name ends in a hash, which is no secret. */
function safeFile(name: string): string {
  return /^[\w.-]{1,80}$/.test(name) ? name : ''
}
