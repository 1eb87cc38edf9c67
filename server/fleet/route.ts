import type { Connection } from '../hub/connection.ts'
import type { Invocation } from '../hub/messages.ts'
import type { Attached } from './fleet.ts'

/** `isOurs` is true for an invocation that this server made, not the client. */
type Pending = { invocation: Invocation; since: number; isOurs?: boolean }

/** How a connection whose socket is on this server reaches the home server of its user. */
export class Route {
  readonly connection: Connection
  /** The user's home server: null while Redis is asked for it; this server while waiting invocations are executed here. */
  home: string | null
  order = 0
  /** An earlier home server had this connection. */
  isReattached = false
  lastNumber = 0
  readonly pending = new Map<number, Pending>()
  isClosedByClient = false
  isOver = false
  /** Resumes the socket that was paused because too many invocations were pending. */
  resumeReading: () => void = () => undefined

  constructor(connection: Connection, home: string | null) {
    this.connection = connection
    this.home = home
  }

  /** Puts an invocation of this server before the pending invocations. */
  addFirst(invocation: Invocation, now: number): void {
    const pending = [...this.pending]
    this.pending.clear()
    this.lastNumber += 1
    this.pending.set(this.lastNumber, { invocation, since: now, isOurs: true })
    for (const [n, one] of pending) this.pending.set(n, one)
  }
}

/** The home server; a function to call when the user has no home server in this pool. */
export type HomeFound = Omit<Attached, 'isKnown'> | (() => void)

/** Asks for the home server of a connection's user. */
export type AttachConnection = (connection: Connection, isReattached: boolean) => Promise<HomeFound>

export function isJoin({ target }: Invocation): boolean {
  return target.toLowerCase() === 'initiatematchingwithpeers'
}
