import * as v from 'valibot'
import { tryParse } from '#protocol/parse.ts'
import type { Clock } from '../rules/clock.ts'
import type { RedisClient } from './redis-client.ts'

export type ReportsOptions<R> = {
  client: Pick<RedisClient, 'isReady' | 'hSet' | 'hGetAll' | 'hDel'>
  newId: () => string
  clock: Pick<Clock, 'now'>
  /** Key of the hash that has the report of each server. */
  key: string
  /** Time without a new report, by the reader's clock, after which a server has ended. */
  silentMs: number
  schema: v.GenericSchema<unknown, R>
}

/** Reports that servers exchange through Redis. A new report of a server replaces the server's earlier report. */
export class SharedReports<R extends object> {
  readonly #options: ReportsOptions<R>
  readonly #self: string
  /** The latest text of each other server, and when this server first read it. */
  readonly #written = new Map<string, { text: string; since: number }>()
  /** Makes each text differ from the text before: a server that writes the same report again is not silent. */
  #round = 0

  constructor(options: ReportsOptions<R>) {
    this.#options = options
    this.#self = options.newId()
  }

  /**
   * Writes the report of this server and resolves with the reports of the other servers. Leaves out a report that cannot be parsed, such as
   * that of a newer version. Removes the reports of servers that have ended. Rejects while Redis is away.
   */
  async exchange(report: R): Promise<R[]> {
    const { client, clock, key, silentMs, schema } = this.#options
    this.#round += 1
    await client.hSet(key, this.#self, JSON.stringify({ round: this.#round, ...report }))
    const all = await client.hGetAll(key)
    const now = clock.now()
    const reports: R[] = []
    for (const server of this.#written.keys()) if (!(server in all)) this.#written.delete(server)
    for (const [server, text] of Object.entries(all)) {
      if (server === this.#self) continue
      const before = this.#written.get(server)
      const since = before?.text === text ? before.since : now
      this.#written.set(server, { text, since })
      if (now - since >= silentMs) await client.hDel(key, server)
      else {
        const parsed = tryParse(v.pipe(v.string(), v.parseJson(), schema), text)
        if (parsed.success) reports.push(parsed.output)
      }
    }
    return reports
  }

  /** Removes the report of this server. Rejects while Redis is away. */
  async leave(): Promise<void> {
    const { client, key } = this.#options
    if (client.isReady) await client.hDel(key, this.#self)
  }
}
