import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import type { Connection } from './connection.ts'

/** The one current connection of each user, and all that are open, by id. */
export class Roster {
  readonly #current = new Map<string, Connection>()
  readonly #byId = new Map<string, Connection>()

  /** Makes this the user's connection. An older one is told so and ended. */
  enter(connection: Connection): void {
    const older = this.#current.get(connection.accountId)
    this.#current.set(connection.accountId, connection)
    this.#byId.set(connection.id, connection)
    older?.close({ error: 'replaced' })
  }

  /** False when the connection was no longer its user's current one. */
  remove(connection: Connection): boolean {
    this.#byId.delete(connection.id)
    if (!this.isCurrent(connection)) return false
    this.#current.delete(connection.accountId)
    return true
  }

  isCurrent(connection: Connection): boolean {
    return this.#current.get(connection.accountId) === connection
  }

  of(accountId: string): Connection | undefined {
    return this.#current.get(accountId)
  }

  /** Whose open connection this is. */
  ownerOf(connectionId: string): string | undefined {
    return this.#byId.get(connectionId)?.accountId
  }

  /** False when the user has no connection that takes it. */
  tell<E extends HubEvent>(accountId: string, event: E, args: HubEventArguments<E>): boolean {
    return this.#current.get(accountId)?.send(event, args) ?? false
  }
}
