import { useEffect } from 'react'
import { Button } from '../../parts/button.tsx'
import { useTitle } from '../../parts/use-title.ts'
import { useStores } from '../../stores/stores.ts'
import { Circle } from './circle.tsx'
import styles from './matching.module.css'
import { SafetyTip } from './safety-tip.tsx'
import { useRounds } from './use-rounds.ts'

/** Looks for somebody to talk to, and calls them once they are found. */
export function MatchingPage() {
  const { call, hub } = useStores()
  const { dispatch } = call
  const phase = call.phase.value
  const matched = phase === 'connecting' || phase === 'in-call'
  const round = useRounds()
  useTitle(matched ? 'Match found' : 'Finding a partner')

  useEffect(() => dispatch({ type: 'started' }), [dispatch])

  return (
    <main className={styles.page}>
      <Circle matched={matched} round={round} />
      <div className={styles.words}>
        <div role="status" className={styles.state}>
          <h1 className={styles.title}>{matched ? 'Match found!' : 'Finding a partner...'}</h1>
          {matched && <p className={styles.calling}>Calling {call.peerNickName}...</p>}
          {hub.state.value === 'reconnecting' && (
            <p className={styles.hub}>The connection dropped for a moment. Reconnecting...</p>
          )}
        </div>
        {!matched && <SafetyTip round={round} />}
        <Button look="quiet" className={styles.cancel} onClick={() => dispatch({ type: 'cancel-pressed' })}>
          Cancel Matching
        </Button>
      </div>
    </main>
  )
}
