import type { TicketStore } from '../hub/tickets.ts'
import type { MatchRecord, MatchRecords } from '../matching/rules/ports.ts'
import type { Queue } from '../matching/rules/queue.ts'

/** Where a user's hub state lives, and which of the user's connections came later. */
export type Attached = { home: string; order: number }

/** What this server has to do because of the others. */
export type FleetEvents = {
  /** In the order in which that server sent it, each once, as long as both live. */
  mail(from: string, mail: unknown): void
  /** The user is at home at that server from now on. */
  moved(user: string, to: string): void
  /** The session goes on here. */
  adopt(session: MatchRecord): void
  /** The queue has pairs for this server to bring together. */
  open(): void
  /** That server is gone, and what it had has been taken over. */
  died(server: string): void
  /** This server was taken for dead: everything it knows of users is the others' now. */
  fenced(): void
  /** What the others must know of this server. */
  account(): { homes: string[]; here: string[]; matches: MatchRecord[] }
  /** Their places in the queue are lost. */
  requeue(users: string[]): void
}

/** The other servers that are one hub together with this one. */
export interface Fleet {
  readonly self: string
  /** False while nothing can be heard of the others. */
  readonly available: boolean
  readonly queue: Queue
  /** The match records; what changes in them is also told to the servers that may have to take a match over. */
  readonly matchRecords: MatchRecords
  readonly tickets: TicketStore
  start(events: FleetEvents): Promise<void>
  /** A connection of the user is here. Rejects while Redis does not answer. */
  attach(user: string): Promise<Attached>
  /** Nothing is kept of the user here any more. */
  forget(user: string): void
  /** This server has heard of it, and not that it is gone. */
  knows(server: string): boolean
  /** Sent as soon as it can be; lost only with one of the two servers. */
  send(to: string, mail: object): void
  sendAll(mail: object): void
  /** From now on nothing is tried again that Redis does not take. */
  end(): void
  /** Hands everything over to the others, in order. */
  leave(): Promise<void>
}
