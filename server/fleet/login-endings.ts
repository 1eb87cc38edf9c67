import type { LocalHub } from '../hub/hub-router.ts'
import type { ServerMessage, ServerMessageOf } from './server-messages.ts'

/** How long the ends of logins are kept for a server that could not be reached. */
const KEEP_MS = 3_600_000
const KEPT_MAX = 10_000

type LoginMessage = ServerMessageOf<'shut' | 'changed' | 'logged-out'>

/** Ends the logins of the message on this server too. Returns false for a message that is not about logins. */
export function endLogin(hub: LocalHub, message: ServerMessage): message is LoginMessage {
  if (message.t === 'shut') hub.disconnect(message.account)
  else if (message.t === 'changed') hub.forgetLogins(message.account)
  else if (message.t === 'logged-out') hub.logOut(message.account, message.sessionId)
  else return false
  return true
}

/**
 * The latest ends of logins, for a server of another region that returns under a new id: it has kept its connections
 * but has lost messages.
 */
export class LoginEndings {
  readonly #sent: { message: LoginMessage; at: number }[] = []

  add(message: ServerMessageOf<'shut' | 'logged-out'>, now: number): void {
    this.#sent.push({ message, at: now })
    if (this.#sent.length > KEPT_MAX) this.#sent.shift()
  }

  since(now: number): LoginMessage[] {
    while (this.#sent[0] && now - this.#sent[0].at >= KEEP_MS) this.#sent.shift()
    return this.#sent.map(({ message }) => message)
  }
}
