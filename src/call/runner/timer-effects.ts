import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { ConnectionReport } from './connection-report.ts'
import type { EffectHandlers } from './effect-handlers.ts'

type TimerEffectType = 'start-match-timer' | 'stop-match-timer' | 'start-ticking' | 'stop-ticking'
type Ports = { clock: Clock; log: Log; reports: readonly Pick<ConnectionReport, 'broken'>[] }

const TICK_MS = 1_000

/** Runs the timer of the match's setup, and the countdown of the screens. */
export function createTimerEffects({ clock, log, reports }: Ports): EffectHandlers<TimerEffectType> {
  let stopMatchTimer = () => {}
  let stopTicking = () => {}
  return {
    'start-match-timer'({ matchId, ms, missing }, dispatch) {
      stopMatchTimer()
      stopMatchTimer = clock.after(ms, () => {
        log.error(`WebRTC session timed out: no ${missing}`)
        if (missing === 'connection') for (const report of reports) report.broken()
        dispatch({ type: 'match-timed-out', matchId })
      })
    },
    'stop-match-timer': () => stopMatchTimer(),
    'start-ticking'(_effect, dispatch) {
      stopTicking()
      stopTicking = clock.every(TICK_MS, () => dispatch({ type: 'tick' }))
    },
    'stop-ticking': () => stopTicking(),
  }
}
