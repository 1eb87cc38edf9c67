import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { connectionOutcomes, curtainModels } from '#protocol/call-counts.ts'
import { MINUTE_MS } from '#protocol/durations.ts'
import { asAppError } from '../platform/http/problems.ts'
import { type Metrics, regionLabel } from './rules/metrics.ts'
import { addScrapedMetrics, type Sources } from './scraped-metrics.ts'
import { type SecurityEventName, securityEvents } from './security-log.ts'

const SECOND_MS = 1_000
const WAIT_BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300]
/** A browser acknowledges once a second, so most of the time of a relay is the wait for the acknowledgement. */
const RELAY_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 5, 10, 45]
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const CONNECT_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20]
/** The label of every model of the safety curtain that is not in the list. */
const OTHER = 'other'
/** Shorter pictures say nothing about freezes a minute. */
const PICTURE_MIN_MS = 10 * SECOND_MS

// Labels are from closed lists: a client must not create series. A counter whose label has few values starts at 0 for each value: its
// first event then shows as an increase, and no event at all as 0.

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

function createPeerMetrics(registers: Registry[]): Pick<Metrics, 'peerConnection'> {
  const connections = new Counter({
    name: 'waggle_peer_connections_total',
    help: 'Peer connections by the outcome that browsers report: direct, relay, failed before connecting, lost afterwards',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of connectionOutcomes) connections.inc({ outcome }, 0)
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

  return {
    peerConnection(outcome, ms, pair) {
      connections.inc({ outcome })
      if (outcome !== 'direct' && outcome !== 'relay') return
      connects.observe({ outcome }, ms / SECOND_MS)
      if (pair) candidatePairs.inc(pair)
    },
  }
}

function createCurtainMetrics(registers: Registry[]): Pick<Metrics, 'curtain'> {
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames: ['model'], registers })
  const looks = counter(
    'waggle_curtain_looks_total',
    'Looks of the safety curtain at a picture of a call, by version of the model',
  )
  const flagged = counter('waggle_curtain_flagged_total', 'Looks that found nudity likely')
  const veils = counter('waggle_curtain_veils_total', 'Pictures that the safety curtain veiled')
  const shownAnyway = counter('waggle_curtain_shown_anyway_total', 'Veils that the user lifted with "Show anyway"')
  const known = new Set<string>(curtainModels)
  for (const model of [...known, OTHER])
    for (const metric of [looks, flagged, veils, shownAnyway]) metric.inc({ model }, 0)

  return {
    curtain(counts) {
      const label = { model: known.has(counts.model) ? counts.model : OTHER }
      looks.inc(label, counts.looks)
      flagged.inc(label, counts.flagged)
      veils.inc(label, counts.veils)
      shownAnyway.inc(label, counts.shownAnyway)
    },
  }
}

/**
 * Creates the metrics of what people feel. With all browsers and countries there are at most 66 pairs of these labels, and 2,600 series a
 * server.
 */
function createExperienceMetrics(registers: Registry[]): Pick<Metrics, 'experience'> {
  const labelNames = ['browser', 'country'] as const
  const matches = new Counter({
    name: 'waggle_experience_matches_total',
    help: 'Matches as browsers with consent report them, by outcome: connected, failed, left',
    labelNames: ['outcome', ...labelNames],
    registers,
  })
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const firstFrames = histogram(
    'waggle_experience_first_frame_seconds',
    "Time from a match to the peer's first picture, as browsers report it",
    [0.5, 1, 1.5, 2, 3, 5, 8, 13, 20],
  )
  const freezes = histogram(
    'waggle_experience_freezes_per_minute',
    'Freezes of the picture a minute, of each call of 10 seconds or more',
    [0, 0.25, 0.5, 1, 2, 4, 8, 16],
  )
  const presses = histogram(
    'waggle_experience_inp_seconds',
    'Interaction to Next Paint of the page, at the end of each match',
    [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2],
  )

  return {
    experience(experience, country) {
      const { browser, outcome, inpMs } = experience
      const labels = { browser, country }
      matches.inc({ outcome, ...labels })
      if (inpMs !== undefined) presses.observe(labels, inpMs / SECOND_MS)
      if (experience.outcome !== 'connected') return
      firstFrames.observe(labels, experience.firstFrameMs / SECOND_MS)
      const { picture } = experience
      if (picture && picture.ms >= PICTURE_MIN_MS) freezes.observe(labels, (picture.freezes * MINUTE_MS) / picture.ms)
    },
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
