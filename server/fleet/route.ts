import type { Connection } from '../hub/connection.ts'
import type { Invocation } from '../hub/messages.ts'
import type { Attached } from './fleet.ts'

/** `isOurs`: the client does not know of it. */
type Pending = { invocation: Invocation; since: number; isOurs?: boolean }

/** How a connection whose socket is on this server reaches the home server of its user. */
export type Route = {
  readonly connection: Connection
  /** The home server of the user: null while Redis is asked for it, this server while waiting invocations are executed here. */
  home: string | null
  order: number
  /** An earlier home server had this connection. */
  isReattached: boolean
  lastNumber: number
  readonly pending: Map<number, Pending>
  isClosedByClient: boolean
  isOver: boolean
  /** Reads the socket again that was paused because too many invocations are pending. */
  resumeReading: () => void
}

/** A function is called for a connection that has no home server in this pool. */
export type HomeFound = Omit<Attached, 'isKnown'> | (() => void)

/** Asks for the home server of a connection's user. */
export type AttachConnection = (connection: Connection, isReattached: boolean) => Promise<HomeFound>

export function routeOf(connection: Connection, home: string | null): Route {
  return {
    connection,
    home,
    order: 0,
    isReattached: false,
    lastNumber: 0,
    pending: new Map(),
    isClosedByClient: false,
    isOver: false,
    resumeReading: () => undefined,
  }
}

/** Adds an invocation of this server's own before those that are pending. */
export function addFirst(route: Route, invocation: Invocation, now: number): void {
  const pending = [...route.pending]
  route.pending.clear()
  route.lastNumber += 1
  route.pending.set(route.lastNumber, { invocation, since: now, isOurs: true })
  for (const [n, one] of pending) route.pending.set(n, one)
}
