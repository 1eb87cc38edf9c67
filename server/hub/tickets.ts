import { randomBytes } from 'node:crypto'
import type { Admitted } from './admission.ts'
import type { Connection, ConnectionOwner } from './connection.ts'

/** How long a negotiated connection waits for its WebSocket. */
const TICKET_MS = 15_000

type Ticket = {
  readonly owner: ConnectionOwner
  /** The connection that was made with it. */
  connection: Connection | null
  readonly until: number
}

/** The connection tokens that negotiate gave out, from then until their connection ends. */
export class Tickets {
  readonly #byToken = new Map<string, Ticket>()

  /** Version 0 of negotiate has no id apart from the token: `id` is null. */
  issue(user: Admitted, kind: { id: string | null; isStateful: boolean }, now: number): ConnectionOwner {
    const token = randomBytes(24).toString('base64url')
    const owner = { ...user, token, id: kind.id ?? token, isStateful: kind.isStateful }
    this.#byToken.set(token, { owner, connection: null, until: now + TICKET_MS })
    return owner
  }

  /** What this token is for. */
  find(token: string): Ticket | undefined {
    return this.#byToken.get(token)
  }

  take(token: string, connection: Connection): void {
    const ticket = this.#byToken.get(token)
    if (ticket) ticket.connection = connection
  }

  remove(token: string): void {
    this.#byToken.delete(token)
  }

  /** Forgets those that nobody used in time. */
  sweep(now: number): void {
    for (const [token, ticket] of this.#byToken)
      if (!ticket.connection && ticket.until <= now) this.#byToken.delete(token)
  }
}
