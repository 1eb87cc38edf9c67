import type { ConnectionOutcome } from '#protocol/rest.ts'
import type { CallSample } from '../domain/governor.ts'
import type { Api, Clock, Log } from '../domain/ports.ts'

type Ports = { api: Pick<Api, 'request'>; clock: Pick<Clock, 'now'>; log: Log }
/** `matched` until the connection stands, `connected` until a sample says by which way, `told` from then on. */
type Progress =
  | { state: 'idle' }
  | { state: 'matched' | 'told'; since: number }
  | { state: 'connected'; afterMs: number }

const idle: Progress = { state: 'idle' }

/** Tells the service how the connection of each match came out, and nothing about whose it was. */
export function createConnectionReport({ api, clock, log }: Ports) {
  let progress: Progress = idle

  function tell(outcome: ConnectionOutcome, afterMs: number): void {
    api
      .request('reportConnection', { outcome, afterMs: Math.round(afterMs) })
      .catch((thrown: unknown) => log.error('How the connection came out could not be told', thrown))
  }

  return {
    /** There is a match. */
    begin(): void {
      progress = { state: 'matched', since: clock.now() }
    },
    connected(): void {
      if (progress.state === 'matched') progress = { state: 'connected', afterMs: clock.now() - progress.since }
    },
    sampled({ isRelayed }: Pick<CallSample, 'isRelayed'>): void {
      if (progress.state !== 'connected') return
      tell(isRelayed ? 'relay' : 'direct', progress.afterMs)
      progress = { state: 'told', since: clock.now() }
    },
    /** It does not come about in time, or could not be healed. */
    broken(): void {
      if (progress.state === 'matched') tell('failed', clock.now() - progress.since)
      if (progress.state === 'told') tell('lost', clock.now() - progress.since)
      progress = idle
    },
    /** The match is over for another reason. */
    end(): void {
      progress = idle
    },
  }
}
