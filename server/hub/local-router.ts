import type { MatchRecords } from '../matching/rules/ports.ts'
import type { Queue } from '../matching/rules/queue.ts'
import type { Connection } from './connection.ts'
import type { HubRouter, LocalHub } from './hub-router.ts'
import type { Invocation } from './messages.ts'

/** The router of a single server: this server holds the state of all users. */
export class LocalRouter implements HubRouter {
  readonly queue: Queue
  readonly matchRecords: MatchRecords
  readonly tickets = null
  readonly hearsOthers = true
  #hub: LocalHub | null = null

  constructor({ queue, matchRecords }: { queue: Queue; matchRecords: MatchRecords }) {
    this.queue = queue
    this.matchRecords = matchRecords
  }

  async start(hub: LocalHub): Promise<void> {
    this.#hub = hub
  }

  opened(connection: Connection): void {
    this.#local.lifecycle.connect(connection)
  }

  invoked(connection: Connection, invocation: Invocation): Promise<void> | undefined {
    return this.#local.execute(connection, invocation)
  }

  dropped(connection: Connection): void {
    this.#local.lifecycle.drop(connection)
  }

  resumed(connection: Connection): void {
    this.#local.lifecycle.resume(connection)
  }

  closedByClient(connection: Connection): void {
    this.#local.lifecycle.closeByClient(connection)
  }

  closed(connection: Connection): void {
    this.#local.lifecycle.close(connection)
  }

  forget(): void {}

  async waitForUsers(): Promise<void> {}

  disconnectElsewhere(): void {}

  logOutElsewhere(): void {}

  forgetLoginsElsewhere(): void {}

  sweep(): void {}

  stopRetries(): void {}

  async leave(): Promise<void> {}

  get #local(): LocalHub {
    if (!this.#hub) throw new Error('the hub has not started')
    return this.#hub
  }
}
