import { useEffect, useRef } from 'react'
import { InterruptionNote } from '../../devices/use-devices.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import { Rich } from '../../ui/rich.tsx'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import { LastPeerDialog } from '../screens/last-peer-dialog.tsx'
import { PeerName } from '../screens/peer-name.tsx'
import { SharedNote } from '../screens/shared-note.tsx'
import { useHubTrouble } from '../screens/use-hub-trouble.ts'
import { useCall } from '../use-call.ts'
import { CallBackButton } from './call-back-button.tsx'
import { Circle } from './circle.tsx'
import { Company } from './company.tsx'
import styles from './matching.module.css'
import { SafetyTip } from './safety-tip.tsx'
import { useLongSearch } from './use-long-search.ts'
import { useRounds } from './use-rounds.ts'

/** The search for a match, and the set-up of the call after it. */
export function MatchingPage() {
  const { call, lastPeer } = useCall()
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
              {t('matching.report-last', { name: lastPeer.match.value.peer?.nickName || t('toasts.unnamed-peer') })}
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
