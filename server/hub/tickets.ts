import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import type { AuthorisedUser, ConnectionOwner } from './authorisation.ts'
import type { Connection } from './connection.ts'

/** How long a negotiated connection waits for its WebSocket. */
const TICKET_MS = 15_000

type Ticket = {
  readonly owner: ConnectionOwner
  /** The connection that used the ticket; null while it is unused. */
  connection: Connection | null
  readonly until: number
}

const ownerSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    id: v.string(),
    token: v.string(),
    accountId: v.string(),
    sessionId: v.string(),
    visit: v.nullable(v.string()),
    isStateful: v.boolean(),
  }),
)

/** `id` is null for version 0 of negotiate, whose token is also the connection id. */
type ConnectionKind = { id: string | null; isStateful: boolean }

function newOwner(user: AuthorisedUser, { id, isStateful }: ConnectionKind): ConnectionOwner {
  const token = randomBytes(24).toString('base64url')
  return { ...user, token, id: id ?? token, isStateful }
}

/** Stores tickets for all servers of a hub. */
export interface TicketStore {
  /** Resolves with false when the ticket could not be stored. */
  put(token: string, ticket: string, ms: number): Promise<boolean>
  /** Resolves with the ticket for the first caller, and with null for every later caller. */
  take(token: string): Promise<string | null>
}

/** The connection tokens that negotiate issued, each until its connection ends. */
export class Tickets {
  readonly #store: TicketStore | null
  readonly #byToken = new Map<string, Ticket>()

  /** With a store, a token that one server issued opens a connection to another. */
  constructor(store: TicketStore | null) {
    this.#store = store
  }

  /** Resolves with null when the store has failed. */
  async issue(user: AuthorisedUser, kind: ConnectionKind, now: number): Promise<ConnectionOwner | null> {
    if (!this.#store) return this.issueHere(user, kind, now)
    const owner = newOwner(user, kind)
    const kept = await this.#store.put(owner.token, JSON.stringify(owner), TICKET_MS)
    return kept ? owner : null
  }

  /** Issues a token for this server only. */
  issueHere(user: AuthorisedUser, kind: ConnectionKind, now: number): ConnectionOwner {
    const owner = newOwner(user, kind)
    this.#keep(owner, now)
    return owner
  }

  /** Resolves with the ticket of this token, which another server may have issued. */
  async find(token: string, now: number): Promise<Ticket | undefined> {
    const known = this.#byToken.get(token)
    if (known || !this.#store) return known
    const kept = await this.#store.take(token)
    if (kept !== null) this.#keep(parse(ownerSchema, kept), now)
    return this.#byToken.get(token)
  }

  take(token: string, connection: Connection): void {
    const ticket = this.#byToken.get(token)
    if (ticket) ticket.connection = connection
  }

  remove(token: string): void {
    this.#byToken.delete(token)
  }

  /** Removes tickets that were not used in time. */
  sweep(now: number): void {
    for (const [token, ticket] of this.#byToken)
      if (!ticket.connection && ticket.until <= now) this.#byToken.delete(token)
  }

  #keep(owner: ConnectionOwner, now: number): void {
    this.#byToken.set(owner.token, { owner, connection: null, until: now + TICKET_MS })
  }
}
