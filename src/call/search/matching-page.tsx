import { type ReadonlySignal, useSignal } from '@preact/signals-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { LONG_SEARCH_MS, MATCHING_SHUFFLE_MS, QUEUE_SIZE_EXACT_MAX } from '#protocol/constants.ts'
import type { Language } from '#protocol/languages.ts'
import { useAccount } from '../../account/use-account.ts'
import { InterruptionNote } from '../../devices/use-devices.tsx'
import { formatNumber } from '../../platform/texts/formats.ts'
import type { Translate } from '../../platform/texts/texts.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { faceUrl } from '../../ui/faces.ts'
import { useTitle } from '../../ui/frame/use-title.ts'
import { CallIcon } from '../../ui/icons.tsx'
import { Avatar } from '../../ui/members/avatar.tsx'
import { Rich } from '../../ui/rich.tsx'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import { PeerAvatar, PeerName, SharedNote } from '../screens/peer.tsx'
import { LastPeerDialog } from '../screens/report-dialog.tsx'
import { useHubTrouble } from '../screens/use-hub-trouble.ts'
import type { AssetStore } from '../state/assets.ts'
import { useCall } from '../use-call.ts'
import circle from './circle.module.css'
import styles from './matching.module.css'
import { nextRound, type Round } from './rounds.ts'

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
          <Button variant="quiet" className={styles.cancel} onClick={() => dispatch({ type: 'cancel-pressed' })}>
            {t('matching.cancel')}
          </Button>
          <CallBackButton />
          {lastPeer.match.value && (
            <Button variant="quiet" onClick={lastPeer.open}>
              {t('matching.report-last', { name: lastPeer.match.value.peer?.nickName || t('toasts.unnamed-peer') })}
            </Button>
          )}
          {isLong && (
            <Button variant="plain" onClick={() => dispatch({ type: 'cancel-pressed' })}>
              {t('matching.to-dashboard')}
            </Button>
          )}
        </div>
      </div>
      <LastPeerDialog />
    </main>
  )
}

type CircleProps = { matched: boolean; round: ReadonlySignal<Round> }

/**
 * The user's own picture inside two dotted circles with faces, which the data saver leaves out. After a match, the
 * pictures of both users with a call icon between them.
 */
function Circle({ matched, round }: CircleProps) {
  const { account } = useAccount()
  const { assets } = useCall()
  const { pictureChoice } = usePlatform()
  const t = useTexts()
  return (
    <div className={circle.circle} data-matched={matched}>
      <svg className={circle.outer} viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="48.5" pathLength="360" />
      </svg>
      <svg className={circle.inner} viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="48.5" pathLength="240" />
      </svg>
      {!matched && !pictureChoice.isSaver.value && <Faces round={round} assets={assets} />}
      <Avatar src={account.picture.value} alt={t('matching.own-picture')} className={circle.own} />
      {matched && (
        <>
          <PeerAvatar className={circle.peer} />
          <span className={circle.call} aria-hidden="true">
            <CallIcon />
          </span>
        </>
      )}
    </div>
  )
}

function Faces({ round, assets }: { round: ReadonlySignal<Round>; assets: AssetStore }) {
  useEffect(() => assets.release, [assets])
  const { count, faces } = round.value
  return faces.map(({ name, degrees }, index) => (
    <span
      key={`${count}-${name}`}
      className={circle.face}
      style={{ '--angle': `${degrees}deg`, '--delay': `${index * 60}ms` } as CSSProperties}
    >
      <img src={assets.url(faceUrl(name, 64))} alt="" width="64" height="64" draggable="false" />
    </span>
  ))
}

/**
 * Says how many others search and, after a long search, what the user can do. It is announced when its meaning changes,
 * not when only the number changes.
 */
function Company({ isLong }: { isLong: boolean }) {
  const { callBack, hub, search } = useCall()
  const { texts } = usePlatform()
  const t = useTexts()
  const others = hub.state.value === 'connected' ? search.others.value : null
  const speaking = others === null ? null : search.speaking.value
  const choice = callBack.choice.value
  // `speaking` is not included: the hub sends it only from a certain number on, and each crossing of that number would be announced.
  const meaning = [meaningOf(others), isLong, choice].join()
  const announced = useRef('')
  useEffect(() => {
    announced.current = meaning
  }, [meaning])
  const language = texts.language.value
  const sentences = [
    companyText(t, language, others, isLong),
    speakingText(t, language, speaking),
    callBackText(t, choice, isLong),
  ]
  return <p aria-live={meaning === announced.current ? 'off' : 'polite'}>{sentences.filter(Boolean).join(' ')}</p>
}

function companyText(t: Translate, language: Language, others: number | null, isLong: boolean): string {
  if (others === null) return isLong ? t('matching.long') : ''
  if (others === 0) return t(isLong ? 'matching.nobody' : 'matching.alone')
  if (others <= QUEUE_SIZE_EXACT_MAX) return t('matching.others', { count: others })
  return t('matching.many', { count: formatNumber(language, others) })
}

/** Says how many of the others speak a language of this user. Empty if the hub did not send the number, or, as earlier hubs did, sent 0. */
function speakingText(t: Translate, language: Language, speaking: number | null): string {
  return speaking ? t('matching.speaking', { count: formatNumber(language, speaking) }) : ''
}

function meaningOf(count: number | null): string {
  return count === null ? 'unknown' : String(count > 0)
}

function callBackText(t: Translate, choice: 'unavailable' | 'off' | 'on' | 'blocked', isLong: boolean): string {
  if (choice === 'on') return t('matching.call-back.on')
  if (choice === 'blocked') return t('matching.call-back.blocked')
  if (!isLong) return ''
  return t(choice === 'off' ? 'matching.call-back.offer' : 'matching.call-back.title')
}

/** Cross-fades from tip to tip. It is no live region: a screen reader would announce a tip every five seconds. */
function SafetyTip({ round, t }: { round: ReadonlySignal<Round>; t: Translate }) {
  const { count, tip, tipBefore } = round.value
  return (
    <div className={styles.tips}>
      {tipBefore !== null && (
        <p key={count - 1} className={styles.old} aria-hidden="true">
          {t(`matching.tip.${tipBefore}`)}
        </p>
      )}
      <p key={count} className={styles.tip}>
        {t(`matching.tip.${tip}`)}
      </p>
    </div>
  )
}

/** Switches the notification of a match on and off. Absent if the browser has no notifications. */
function CallBackButton() {
  const { callBack } = useCall()
  const t = useTexts()
  const choice = callBack.choice.value
  if (choice === 'unavailable') return null
  const isOn = choice === 'on'
  return (
    <Button variant="quiet" aria-pressed={isOn} className={styles.button} onClick={() => void callBack.press()}>
      {isOn && <span aria-hidden="true">✓</span>}
      {t('matching.call-back')}
    </Button>
  )
}

/** True once a search has taken `LONG_SEARCH_MS`. */
function useLongSearch(isSearching: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isSearching) return
    const timer = setTimeout(() => setLong(true), LONG_SEARCH_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isSearching])
  return isLong
}

/** Returns a signal with a new round every five seconds. It is a signal so that only its readers render again. */
function useRounds(): ReadonlySignal<Round> {
  const [first] = useState(() => nextRound(null, Math.random))
  const round = useSignal(first)
  useEffect(() => {
    const timer = setInterval(() => {
      round.value = nextRound(round.peek(), Math.random)
    }, MATCHING_SHUFFLE_MS)
    return () => clearInterval(timer)
  }, [round])
  return round
}
