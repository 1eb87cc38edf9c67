import { randomBytes } from 'node:crypto'
import type { ConnectionOwner } from './connection.ts'

/** How long a negotiated connection waits for its WebSocket. */
const TICKET_MS = 15_000

type Ticket = ConnectionOwner & { state: 'waiting' | 'taken'; until: number }

/** The connection tokens that negotiate gave out, from then until their connection ends. */
export class Tickets {
  readonly #byToken = new Map<string, Ticket>()

  /** Version 0 of negotiate has no id apart from the token: `id` is null. */
  issue(user: { accountId: string; sessionId: string }, id: string | null, now: number): ConnectionOwner {
    const token = randomBytes(24).toString('base64url')
    const owner = { ...user, token, id: id ?? token }
    this.#byToken.set(token, { ...owner, state: 'waiting', until: now + TICKET_MS })
    return owner
  }

  /** Whose connection this token is for. */
  find(token: string): Ticket | undefined {
    return this.#byToken.get(token)
  }

  take(token: string): void {
    const ticket = this.#byToken.get(token)
    if (ticket) ticket.state = 'taken'
  }

  remove(token: string): void {
    this.#byToken.delete(token)
  }

  /** Forgets those that nobody used in time. */
  sweep(now: number): void {
    for (const [token, ticket] of this.#byToken)
      if (ticket.state === 'waiting' && ticket.until <= now) this.#byToken.delete(token)
  }
}
