import type { CandidatePair, ConnectionOutcome } from '#protocol/connection.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import type { CallSample } from '../rules/governor.ts'

type Ports = { api: Pick<Api, 'request'>; clock: Pick<Clock, 'now'>; log: Log }
/**
 * `matched` until the peer connection stands, `connected` until a sample shows whether it is relayed, `reported` from then on. `unpaired` counts
 * the samples without a candidate pair.
 */
type Progress =
  | { state: 'idle' }
  | { state: 'matched' | 'reported'; since: number }
  | { state: 'connected'; afterMs: number; unpaired: number }

/** Samples without a pair for which the report waits: the first may be of before the connection stood, and a browser may never name one. */
const UNPAIRED_MAX = 3

const idle: Progress = { state: 'idle' }

export type ConnectionReport = ReturnType<typeof createConnectionReport>

/** Reports to the server how the peer connection of each match came out, without anything about its users. */
export function createConnectionReport({ api, clock, log }: Ports) {
  let progress: Progress = idle

  function send(outcome: ConnectionOutcome, afterMs: number, pair: CandidatePair | null = null): void {
    api
      .request('reportConnection', { outcome, afterMs: Math.round(afterMs), ...(pair && { pair }) })
      .catch((thrown: unknown) => log.error('The outcome of the peer connection was not reported', thrown))
  }

  return {
    /** There is a match. */
    begin(): void {
      progress = { state: 'matched', since: clock.now() }
    },
    connected(): void {
      if (progress.state === 'matched')
        progress = { state: 'connected', afterMs: clock.now() - progress.since, unpaired: 0 }
    },
    sampled({ isRelayed, pair }: Pick<CallSample, 'isRelayed' | 'pair'>): void {
      if (progress.state !== 'connected') return
      const { unpaired } = progress
      if (pair === null && unpaired < UNPAIRED_MAX) {
        progress = { ...progress, unpaired: unpaired + 1 }
        return
      }
      send(isRelayed ? 'relay' : 'direct', progress.afterMs, pair)
      progress = { state: 'reported', since: clock.now() }
    },
    /** The peer connection did not come about in time, or no restart helped. */
    broken(): void {
      if (progress.state === 'matched') send('failed', clock.now() - progress.since)
      if (progress.state === 'reported') send('lost', clock.now() - progress.since)
      progress = idle
    },
    /** The match is over for another reason. */
    end(): void {
      progress = idle
    },
  }
}
