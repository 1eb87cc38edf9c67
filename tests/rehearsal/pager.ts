import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { MINUTE_MS } from '#protocol/durations.ts'
import { hosts } from './machine.ts'
import { FASTER } from './monitoring.ts'

const Call = v.object({
  alerts: v.array(
    v.object({
      status: v.picklist(['firing', 'resolved']),
      labels: v.record(v.string(), v.string()),
      fingerprint: v.string(),
    }),
  ),
})

/** As deploy/monitoring/alertmanager.yaml says, as much faster as everything. */
const HEARTBEAT_MS = (5 * MINUTE_MS) / FASTER
/** What the pager itself reports when the heartbeat does not come. */
export const NO_HEARTBEAT = 'no heartbeat'

/** What Alertmanager calls: pager, office and heartbeat service in one. Knows which alerts fire. */
export class Pager {
  readonly #firing = new Map<string, string>()
  #heartbeatAt: number | null = null

  /** Ends with the process. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.url === '/heartbeat') this.#heartbeatAt = performance.now()
        else this.#take(body)
        response.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(8080, hosts['pager.example.org'], resolve))
  }

  #take(body: string): void {
    for (const { status, labels, fingerprint } of v.parse(Call, JSON.parse(body)).alerts)
      if (status === 'firing') this.#firing.set(fingerprint, labels.alertname ?? '')
      else this.#firing.delete(fingerprint)
  }

  /** Whether a heartbeat has come in time. */
  get isCalled(): boolean {
    return this.#heartbeatAt !== null && performance.now() - this.#heartbeatAt < HEARTBEAT_MS
  }

  /** The names of the alerts that fire, with that of the pager itself. */
  get firing(): string[] {
    const own = this.isCalled ? [] : [NO_HEARTBEAT]
    return [...new Set([...this.#firing.values(), ...own])].sort()
  }
}
