import { Counter, Histogram, type Registry } from 'prom-client'
import { connectionOutcomes, curtainModels } from '#protocol/call-counts.ts'
import { MINUTE_MS } from '#protocol/durations.ts'
import type { Metrics } from './rules/metrics.ts'

/** Metrics of the reports of browsers. Label values are from closed lists, so that a client cannot create series. */

const SECOND_MS = 1_000
const CONNECT_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20]
/** The label of models of the safety curtain that are not in the list. */
const OTHER = 'other'
/** Shortest picture whose freezes a minute are counted. */
const PICTURE_MIN_MS = 10 * SECOND_MS

export function createPeerMetrics(registers: Registry[]): Pick<Metrics, 'peerConnection'> {
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

export function createCurtainMetrics(registers: Registry[]): Pick<Metrics, 'curtain'> {
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
 * Creates the metrics of users' experience. There are at most 66 pairs of a browser and a country, and 2,600 series for
 * each server.
 */
export function createExperienceMetrics(registers: Registry[]): Pick<Metrics, 'experience'> {
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
