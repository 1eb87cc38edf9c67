import type { TicketStore } from '../hub/tickets.ts'
import type { MatchRecord, MatchRecords } from '../matching/rules/ports.ts'
import type { Queue } from '../matching/rules/queue.ts'

/**
 * A user's home server, and the number of the new connection, which is greater than the numbers of earlier connections.
 * `isKnown`: the user had a home server before.
 */
export type Attached = { home: string; order: number; isKnown: boolean }

/** Functions of this server that a fleet calls. */
export type FleetEvents = {
  /** Called once for each message, in the order in which `from` sent them, while both servers live. */
  message(from: string, message: unknown): void
  /** The home server of the user is `to` from now on. */
  moved(user: string, to: string): void
  /** The user has a connection in another region, with this number and of this page load. */
  displaced(user: string, order: number, visit: string | null): void
  /** This server sees the server for the first time. */
  joined(server: string): void
  /** This server takes the match over. */
  adoptMatch(match: MatchRecord): void
  /** The queue has pairs that this server is to bring together. */
  pairsFound(): void
  /** The server is dead, and other servers have taken its users and matches over. */
  died(server: string): void
  /** This server was declared dead: everything that it stored about users belongs to other servers. */
  fenced(): void
  /** Returns what Redis must contain of this server. `here` are the users with a connection to this server. */
  state(): { homes: string[]; here: string[]; matches: MatchRecord[] }
  /** Redis has lost the queue entries of these users. */
  requeue(users: string[]): void
}

/** This server and the other servers of the same hub. */
export interface Fleet {
  /** The id of this server; changes when this server was fenced. */
  readonly self: string
  /** False while the other servers cannot be reached. */
  readonly isAvailable: boolean
  readonly queue: Queue
  /** The stored match records. A change also writes to Redis what another server needs to take the match over. */
  readonly matchRecords: MatchRecords
  readonly tickets: TicketStore
  start(events: FleetEvents): Promise<void>
  /** Records a new connection of the user to this server. Rejects while Redis does not reply. */
  attach(user: string, visit?: string | null): Promise<Attached>
  /** This server stores nothing about the user any more. */
  forget(user: string): void
  /** True for this server and every server that is not known to be dead. */
  isMember(server: string): boolean
  /** Sends as soon as possible. A message is lost only when one of the two servers dies. */
  send(to: string, message: object): void
  /** Sends to all servers, also to guests from other regions. */
  sendAll(message: object): void
  /** Ends all retries: a step that fails from now on is given up. */
  stopRetries(): void
  /** Leaves in order: other servers take the users and matches of this server over. */
  leave(): Promise<void>
}
