import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { connectionOutcomes } from '#protocol/connection.ts'
import type { Presence } from '../hub/rules/presence.ts'
import type { NoticeCounts } from '../notices/rules/ports.ts'
import { asAppError } from '../platform/http/problems.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { createCurtainMetrics } from './curtain-metrics.ts'
import { createExperienceMetrics } from './experience-metrics.ts'
import type { Backlog, HubCounts, Metrics, PriorityCases } from './rules/metrics.ts'
import { type SecurityEventName, securityEvents } from './security-log.ts'

const SECOND_MS = 1_000
const WAIT_BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300]
/** A browser acknowledges once a second, so that the acknowledgement is most of a relay's time. */
const RELAY_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 5, 10, 45]
const CONNECT_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20]
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Values that are read at each scrape. */
type Sources = {
  clock: Clock
  presence: Presence
  hub: () => HubCounts
  /** People of the last minutes whose matches became calls, and whose did not. */
  callPeople: () => { good: number; bad: number }
  backlog: () => Promise<Backlog>
  priorityCases: (now: number) => Promise<PriorityCases>
  /** The services that the server depends on, by name; each function resolves while the service responds. */
  dependencies: Record<string, () => Promise<void>>
  /** Camera frames by outcome; null without a classifier. */
  frameCounts: Readonly<Record<string, number>> | null
  /** Content notices without an answer. */
  notices: () => Promise<NoticeCounts>
  /** Uploaded pictures by outcome. */
  pictureCounts: Readonly<Record<string, number>>
}

/** Returns the region label; a server without a region has none. */
function regionLabel(region: string): { region?: string } {
  return region === '' ? {} : { region }
}

/** Creates the metrics for Prometheus and the functions that record them. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const matches = new Counter({ name: 'waggle_matches_total', help: 'Matches', registers })
  const matchedPeople = new Counter({
    name: 'waggle_matched_people_total',
    help: 'People of matches, by their region and by whether their partner is in the same or in another one',
    labelNames: ['region', 'partner'],
    registers,
  })
  const outcomes = new Counter({
    name: 'waggle_match_outcomes_total',
    help: 'Matches by outcome: connected, timed-out, left',
    labelNames: ['outcome'],
    registers,
  })
  // Each counter starts at 0, so that its first event shows as an increase, and none at all as 0.
  for (const outcome of ['connected', 'timed-out', 'left'] as const) outcomes.inc({ outcome }, 0)
  const searches = new Counter({
    name: 'waggle_searches_total',
    help: 'Searches by part of the queue: ordinary, and apart for people whose matches fail by their side',
    labelNames: ['part'],
    registers,
  })
  for (const part of ['ordinary', 'apart'] as const) searches.inc({ part }, 0)
  const waits = new Histogram({
    name: 'waggle_match_wait_seconds',
    help: 'Time from joining the queue to a match, of each person',
    buckets: WAIT_BUCKETS,
    registers,
  })
  const relays = new Histogram({
    name: 'waggle_relay_duration_seconds',
    help: 'Time from receiving an event for a user to its acknowledgement',
    labelNames: ['event'],
    buckets: RELAY_BUCKETS,
    registers,
  })
  const resumes = new Counter({
    name: 'waggle_hub_resumes_total',
    help: 'Connections resumed at the hub: by a new socket, or by a new connection of the same page',
    labelNames: ['by'],
    registers,
  })
  const refusals = new Counter({
    name: 'waggle_refused_total',
    help: 'Refusals by reason: requests to the API, sockets and invocations of the hub',
    labelNames: ['at', 'reason'],
    registers,
  })
  const security = new Counter({
    name: 'waggle_security_events_total',
    help: 'Security events by name, logged or suppressed',
    labelNames: ['event'],
    registers,
  })
  for (const event of securityEvents) security.inc({ event }, 0)
  const peerConnections = new Counter({
    name: 'waggle_peer_connections_total',
    help: 'Peer connections by the outcome that browsers report: direct, relay, failed before connecting, lost afterwards',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of connectionOutcomes) peerConnections.inc({ outcome }, 0)
  const connects = new Histogram({
    name: 'waggle_peer_connect_duration_seconds',
    help: 'Time from a match to the peer connection',
    labelNames: ['outcome'],
    buckets: CONNECT_BUCKETS,
    registers,
  })
  const candidatePairs = new Counter({
    name: 'waggle_candidate_pairs_total',
    help: 'Established peer connections by what browsers report of their candidate pair: kind (relay if either side is relayed), way and address family',
    labelNames: ['kind', 'way', 'family'],
    registers,
  })
  const requests = new Histogram({
    name: 'waggle_http_request_duration_seconds',
    help: 'Requests by route and class of status, from the headers to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  })

  const metrics: Metrics = {
    curtain: createCurtainMetrics(registers),
    experience: createExperienceMetrics(registers),
    matchMade(one, other) {
      matches.inc()
      const partner = one.region === other.region ? 'same' : 'another'
      for (const { region, waitedMs } of [one, other]) {
        waits.observe(waitedMs / SECOND_MS)
        matchedPeople.inc({ ...regionLabel(region), partner })
      }
    },
    matchSettled: (outcome) => outcomes.inc({ outcome }),
    searchBegan: (part) => searches.inc({ part }),
    relayed: (event, ms) => relays.observe({ event }, ms / SECOND_MS),
    resumed: (by) => resumes.inc({ by }),
    refused: (at, reason) => refusals.inc({ at, reason }),
    peerConnection(outcome, ms, pair) {
      peerConnections.inc({ outcome })
      if (outcome !== 'direct' && outcome !== 'relay') return
      connects.observe({ outcome }, ms / SECOND_MS)
      if (pair) candidatePairs.inc(pair)
    },
  }

  return {
    registry,
    metrics,
    securityEvent: (event: SecurityEventName) => security.inc({ event }),

    /** Records duration and refusals of the requests of this app. */
    observeRequests(app: FastifyInstance): void {
      app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
        const status = `${Math.floor(reply.statusCode / 100)}xx`
        requests.observe({ method, route: routeOptions.url ?? 'none', status }, reply.elapsedTime / SECOND_MS)
        done()
      })
      app.addHook('onError', async (_request, _reply, error) => {
        metrics.refused('call', asAppError(error)?.code ?? 'unknown')
      })
    },

    read(sources: Sources): void {
      const {
        clock,
        presence,
        hub,
        callPeople,
        backlog,
        priorityCases,
        dependencies,
        frameCounts,
        notices,
        pictureCounts,
      } = sources
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
      gauge('waggle_live_matches', 'Matches that have not ended', () => hub().matches)
      new Gauge({
        name: 'waggle_queue_people',
        help: 'Queue entries, by region if there are several: waiting, and away with an entry that is kept',
        labelNames: ['state', 'region'],
        registers,
        collect() {
          this.reset()
          for (const [region, { waiting, away }] of hub().queue) {
            this.set({ ...regionLabel(region), state: 'waiting' }, waiting)
            this.set({ ...regionLabel(region), state: 'away' }, away)
          }
        },
      })
      new Gauge({
        name: 'waggle_call_people',
        help: 'People of the last five minutes by whether their matches became calls: good, bad; few of one network, and without people apart unless only these are there',
        labelNames: ['outcome'],
        registers,
        collect() {
          for (const [outcome, people] of Object.entries(callPeople())) this.set({ outcome }, people)
        },
      })
      const oldest = new Gauge({
        name: 'waggle_moderation_oldest_case_seconds',
        help: 'Age of the oldest report or finding without a decision, 0 without any',
        registers,
      })
      new Gauge({
        name: 'waggle_moderation_open_cases',
        help: 'People with a report or finding without a decision',
        registers,
        async collect() {
          try {
            const { people, since } = await backlog()
            this.set(people)
            oldest.set(since === null ? 0 : (clock.now() - since) / SECOND_MS)
          } catch {
            // Without the store there is no value; an error would fail the scrape of the other metrics as well.
            this.remove()
            oldest.remove()
          }
        },
      })
      new Gauge({
        name: 'waggle_moderation_priority_cases',
        help: 'People with a report that moderators must decide first, by reason: due, and overdue',
        labelNames: ['reason', 'state'],
        registers,
        async collect() {
          this.reset()
          try {
            for (const [reason, { due, overdue }] of Object.entries(await priorityCases(clock.now()))) {
              this.set({ reason, state: 'due' }, due)
              this.set({ reason, state: 'overdue' }, overdue)
            }
          } catch {
            // Without the store there is no value, as above.
          }
        },
      })
      new Gauge({
        name: 'waggle_content_notices',
        help: 'Notices of people without an account that have no answer: open, of these near (due within a day or overdue), and overdue',
        labelNames: ['state'],
        registers,
        async collect() {
          try {
            for (const [state, count] of Object.entries(await notices())) this.set({ state }, count)
          } catch {
            this.reset()
          }
        },
      })
      new Gauge({
        name: 'waggle_dependency_up',
        help: 'Whether a service that the server depends on responds: 1 or 0',
        labelNames: ['dependency'],
        registers,
        async collect() {
          const probe = async ([dependency, ping]: [string, () => Promise<void>]) => {
            const up = await ping().then(
              () => 1,
              () => 0,
            )
            this.set({ dependency }, up)
          }
          await Promise.all(Object.entries(dependencies).map(probe))
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
