import type { Connection } from '../hub/connection.ts'
import type { Invocation } from '../hub/messages.ts'
import type { Attached } from './fleet.ts'

/** `isOurs`: the client does not know of it. */
type Pending = { invocation: Invocation; since: number; isOurs?: boolean }

/** How a connection whose socket is on this server reaches the home server of its user. */
export class Route {
  readonly connection: Connection
  /** The home server of the user: null while Redis is asked for it, this server while waiting invocations are executed here. */
  home: string | null
  order = 0
  /** An earlier home server had this connection. */
  isReattached = false
  lastNumber = 0
  readonly pending = new Map<number, Pending>()
  isClosedByClient = false
  isOver = false
  /** Reads the socket again that was paused because too many invocations are pending. */
  resumeReading: () => void = () => undefined

  constructor(connection: Connection, home: string | null) {
    this.connection = connection
    this.home = home
  }

  /** Adds an invocation of this server's own before those that are pending. */
  addFirst(invocation: Invocation, now: number): void {
    const pending = [...this.pending]
    this.pending.clear()
    this.lastNumber += 1
    this.pending.set(this.lastNumber, { invocation, since: now, isOurs: true })
    for (const [n, one] of pending) this.pending.set(n, one)
  }
}

/** A function is called for a connection that has no home server in this pool. */
export type HomeFound = Omit<Attached, 'isKnown'> | (() => void)

/** Asks for the home server of a connection's user. */
export type AttachConnection = (connection: Connection, isReattached: boolean) => Promise<HomeFound>
