import { useEffect, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { InterruptionNote } from '../../parts/interruption-note.tsx'
import { PeerName } from '../../parts/peer-name.tsx'
import { Rich } from '../../parts/rich.tsx'
import { SharedNote } from '../../parts/shared-note.tsx'
import { useFirstFocus } from '../../parts/use-first-focus.ts'
import { useHubTrouble } from '../../parts/use-hub-trouble.ts'
import { useTexts } from '../../parts/use-texts.ts'
import { useTitle } from '../../parts/use-title.ts'
import { useStores } from '../../stores/stores.ts'
import { LastPeerDialog } from '../call/last-peer-dialog.tsx'
import { CallBackButton } from './call-back-button.tsx'
import { Circle } from './circle.tsx'
import { Company } from './company.tsx'
import styles from './matching.module.css'
import { SafetyTip } from './safety-tip.tsx'
import { useLongSearch } from './use-long-search.ts'
import { useRounds } from './use-rounds.ts'

/** The search for a match, and the set-up of the call after it. */
export function MatchingPage() {
  const { call, lastPeer } = useStores()
  const { dispatch } = call
  const phase = call.phase.value
  const matched = phase === 'connecting' || phase === 'in-call'
  const isLong = useLongSearch(phase === 'searching')
  const round = useRounds()
  const trouble = useHubTrouble()
  const t = useTexts()
  const title = t(matched ? 'matching.title.found' : 'matching.title')
  useTitle(title)
  const page = useRef<HTMLElement>(null)
  useFirstFocus(page)

  useEffect(() => dispatch({ type: 'started' }), [dispatch])

  return (
    <main ref={page} tabIndex={-1} aria-label={title} className={styles.page}>
      <Circle matched={matched} round={round} />
      <div className={styles.words}>
        <div role="status" className={styles.state}>
          {/* The key replaces the element: changed centred text would count as a layout shift. */}
          <h1 key={String(matched)} className={styles.title}>
            {t(matched ? 'matching.found' : 'matching.searching')}
          </h1>
          {matched && (
            <p key={call.peerNickName.value} className={styles.calling}>
              <Rich text={t('matching.calling')} tags={{ name: () => <PeerName /> }} />
            </p>
          )}
          {matched && <SharedNote className={styles.shared} />}
          {trouble && <p className={styles.hub}>{t(`matching.hub.${trouble}`)}</p>}
          <InterruptionNote className={styles.hub} />
        </div>
        <div className={styles.advice}>{!matched && <SafetyTip round={round} t={t} />}</div>
        <div className={styles.company}>{!matched && <Company isLong={isLong} />}</div>
        <div className={styles.actions}>
          <Button look="quiet" className={styles.cancel} onClick={() => dispatch({ type: 'cancel-pressed' })}>
            {t('matching.cancel')}
          </Button>
          <CallBackButton />
          {lastPeer.match.value && (
            <Button look="quiet" onClick={lastPeer.open}>
              {t('matching.report-last', { name: lastPeer.match.value.peer?.nickName || t('notices.unnamed-peer') })}
            </Button>
          )}
          {isLong && (
            <Button look="plain" onClick={() => dispatch({ type: 'cancel-pressed' })}>
              {t('matching.to-dashboard')}
            </Button>
          )}
        </div>
      </div>
      <LastPeerDialog />
    </main>
  )
}
