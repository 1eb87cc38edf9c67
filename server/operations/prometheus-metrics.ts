import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Presence } from '../hub/rules/presence.ts'
import { asAppError } from '../platform/http/problems.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Backlog, HubCounts, Metrics } from './rules/metrics.ts'
import { type SecurityEventName, securityEvents } from './security-log.ts'

const SECOND_MS = 1_000
const WAIT_BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300]
/** A browser acknowledges once a second, so most of a relay's time is that of the answer. */
const RELAY_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 5, 10, 45]
const CONNECT_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20]
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What is asked for at every reading. */
type Sources = {
  clock: Clock
  presence: Presence
  hub: () => HubCounts
  backlog: () => Promise<Backlog>
  /** What the server cannot do without, by name; each resolves while it answers. */
  dependencies: Record<string, () => Promise<void>>
  /** What became of frames, null where they are not classified. */
  frameCounts: Readonly<Record<string, number>> | null
  /** What became of the pictures that were sent in. */
  pictureCounts: Readonly<Record<string, number>>
}

/** A server without a region has no such label. */
function named(region: string): { region?: string } {
  return region === '' ? {} : { region }
}

/** The metrics for Prometheus, and those who tell them. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const matches = new Counter({ name: 'waggle_matches_total', help: 'Pairs who were told of each other', registers })
  const matchedPeople = new Counter({
    name: 'waggle_matched_people_total',
    help: 'People who were told of a match, by their region and by whether their partner is in the same or in another one',
    labelNames: ['region', 'partner'],
    registers,
  })
  const outcomes = new Counter({
    name: 'waggle_match_outcomes_total',
    help: 'Matches by how they came out: connected, timed-out, left',
    labelNames: ['outcome'],
    registers,
  })
  const waits = new Histogram({
    name: 'waggle_match_wait_seconds',
    help: 'Time from joining the queue to being told of a match, of each person',
    buckets: WAIT_BUCKETS,
    registers,
  })
  const relays = new Histogram({
    name: 'waggle_relay_duration_seconds',
    help: 'Time from taking an event for somebody to knowing that it arrived',
    labelNames: ['event'],
    buckets: RELAY_BUCKETS,
    registers,
  })
  const resumes = new Counter({
    name: 'waggle_hub_resumes_total',
    help: 'People who came back to the hub: by another socket, or by another connection of their page',
    labelNames: ['by'],
    registers,
  })
  const refusals = new Counter({
    name: 'waggle_refused_total',
    help: 'What was refused: calls of the API, sockets and invocations of the hub, by reason',
    labelNames: ['at', 'reason'],
    registers,
  })
  const security = new Counter({
    name: 'waggle_security_events_total',
    help: 'Events of the security log, written or not, by their name',
    labelNames: ['event'],
    registers,
  })
  // A counter that begins at 0 shows its first event as an increase.
  for (const event of securityEvents) security.inc({ event }, 0)
  const peerConnections = new Counter({
    name: 'waggle_peer_connections_total',
    help: 'Connections between browsers as these tell: direct, relay, failed before they stood, lost afterwards',
    labelNames: ['outcome'],
    registers,
  })
  const connects = new Histogram({
    name: 'waggle_peer_connect_duration_seconds',
    help: 'Time from a match to the connection between the browsers',
    labelNames: ['outcome'],
    buckets: CONNECT_BUCKETS,
    registers,
  })
  const requests = new Histogram({
    name: 'waggle_http_request_duration_seconds',
    help: 'Requests by route and class of status, from their headers to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  })

  const metrics: Metrics = {
    matchMade(one, other) {
      matches.inc()
      const partner = one.region === other.region ? 'same' : 'another'
      for (const { region, waitedMs } of [one, other]) {
        waits.observe(waitedMs / SECOND_MS)
        matchedPeople.inc({ ...named(region), partner })
      }
    },
    matchSettled: (outcome) => outcomes.inc({ outcome }),
    relayed: (event, ms) => relays.observe({ event }, ms / SECOND_MS),
    resumed: (by) => resumes.inc({ by }),
    refused: (at, reason) => refusals.inc({ at, reason }),
    peerConnection(outcome, ms) {
      peerConnections.inc({ outcome })
      if (outcome === 'direct' || outcome === 'relay') connects.observe({ outcome }, ms / SECOND_MS)
    },
  }

  return {
    registry,
    metrics,
    securityEvent: (event: SecurityEventName) => security.inc({ event }),

    /** Counts the requests of this app. */
    watch(app: FastifyInstance): void {
      app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
        const status = `${Math.floor(reply.statusCode / 100)}xx`
        requests.observe({ method, route: routeOptions.url ?? 'none', status }, reply.elapsedTime / SECOND_MS)
      })
      app.addHook('onError', async (_request, _reply, error) => {
        metrics.refused('call', asAppError(error)?.code ?? 'unknown')
      })
    },

    read({ clock, presence, hub, backlog, dependencies, frameCounts, pictureCounts }: Sources): void {
      const gauge = (name: string, help: string, value: () => number) =>
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(value())
          },
        })
      gauge('waggle_online_users', 'People seen within the last minute', () => presence.count())
      gauge('waggle_hub_connections', 'Connections of the hub', () => hub().connections)
      gauge('waggle_live_matches', 'Matches that are going on', () => hub().matches)
      new Gauge({
        name: 'waggle_queue_people',
        help: 'People in the queue, by region where there are several: waiting, and away with a place that is kept',
        labelNames: ['state', 'region'],
        registers,
        collect() {
          this.reset()
          for (const [region, { waiting, away }] of hub().queue) {
            this.set({ ...named(region), state: 'waiting' }, waiting)
            this.set({ ...named(region), state: 'away' }, away)
          }
        },
      })
      const oldest = new Gauge({
        name: 'waggle_moderation_oldest_case_seconds',
        help: 'For how long the oldest report or finding has waited for a decision, 0 without any',
        registers,
      })
      new Gauge({
        name: 'waggle_moderation_open_cases',
        help: 'People about whom a report or finding waits for a decision',
        registers,
        async collect() {
          try {
            const { people, since } = await backlog()
            this.set(people)
            oldest.set(since === null ? 0 : (clock.now() - since) / SECOND_MS)
          } catch {
            // Without the records nobody knows: better no value than the last one, and the other metrics are needed now.
            this.remove()
            oldest.remove()
          }
        },
      })
      new Gauge({
        name: 'waggle_dependency_up',
        help: 'Whether what the server cannot do without answers: 1 or 0',
        labelNames: ['dependency'],
        registers,
        async collect() {
          const ask = async ([dependency, ping]: [string, () => Promise<void>]) => {
            const up = await ping().then(
              () => 1,
              () => 0,
            )
            this.set({ dependency }, up)
          }
          await Promise.all(Object.entries(dependencies).map(ask))
        },
      })
      new Gauge({
        name: 'waggle_pictures',
        help: 'Camera frames and profile pictures since the start: decoded, unreadable, killed for time or memory, refused because too many waited',
        labelNames: ['outcome'],
        registers,
        collect() {
          for (const [outcome, count] of Object.entries(pictureCounts)) this.set({ outcome }, count)
        },
      })
      if (!frameCounts) return
      new Gauge({
        name: 'waggle_frames',
        help: 'Frames since the start: classified, skipped because too many waited, failed',
        labelNames: ['outcome'],
        registers,
        collect() {
          for (const [outcome, count] of Object.entries(frameCounts)) this.set({ outcome }, count)
        },
      })
    },
  }
}
