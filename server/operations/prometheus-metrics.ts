import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { asAppError } from '../platform/http/problems.ts'
import { createCurtainMetrics, createExperienceMetrics, createPeerMetrics } from './browser-metrics.ts'
import { type Metrics, regionLabel } from './rules/metrics.ts'
import { addScrapedMetrics, type Sources } from './scraped-metrics.ts'
import { type SecurityEventName, securityEvents } from './security-log.ts'

const SECOND_MS = 1_000
const WAIT_BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300]
/** A browser acknowledges once a second, so most of the time of a relay is the wait for the acknowledgement. */
const RELAY_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 5, 10, 45]
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// A counter whose label has few values starts at 0 for each value: the first event then shows as an increase, and a
// series without events shows as 0.

function createMatchMetrics(registers: Registry[]): Pick<Metrics, 'matchMade' | 'matchSettled' | 'searchBegan'> {
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

  return {
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
  }
}

function createHubMetrics(registers: Registry[]): Pick<Metrics, 'relayed' | 'resumed' | 'refused'> {
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

  return {
    relayed: (event, ms) => relays.observe({ event }, ms / SECOND_MS),
    resumed: (by) => resumes.inc({ by }),
    refused: (at, reason) => refusals.inc({ at, reason }),
  }
}

/** Creates the metrics for Prometheus and the functions that record them. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const metrics: Metrics = {
    ...createMatchMetrics(registers),
    ...createHubMetrics(registers),
    ...createPeerMetrics(registers),
    ...createCurtainMetrics(registers),
    ...createExperienceMetrics(registers),
  }
  const security = new Counter({
    name: 'waggle_security_events_total',
    help: 'Security events by name, logged or suppressed',
    labelNames: ['event'],
    registers,
  })
  for (const event of securityEvents) security.inc({ event }, 0)
  const requests = new Histogram({
    name: 'waggle_http_request_duration_seconds',
    help: 'Requests by route and class of status, from the headers to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  })

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

    read: (sources: Sources): void => addScrapedMetrics(registers, sources),
  }
}
