import { type Signal, useComputed, useSignal } from '@preact/signals-react'
import { type RefObject, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { CurtainSeen } from '#protocol/reports.ts'
import { useCurtain } from '../../curtain/use-curtain.tsx'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import { useCall } from '../use-call.ts'
import { CallControls } from './call-controls.tsx'
import styles from './call-page.module.css'
import { ChatPanel } from './chat-panel.tsx'
import { PeerName } from './peer.tsx'
import { PeerVideo } from './peer-video.tsx'
import { LastPeerDialog, ReportDialog } from './report-dialog.tsx'
import { SelfView } from './self-view.tsx'

/** Mounts a new screen for every match, so that no draft or dialog stays, even without a search between matches. */
export function CallPage() {
  const { call } = useCall()
  const matchId = useComputed(() => ('matchId' in call.state.value ? call.state.value.matchId : '')).value
  const [shown, setShown] = useState(matchId)
  if (matchId !== '' && matchId !== shown) setShown(matchId)
  return <Call key={shown} />
}

/** The call. One element tree for all window sizes, so that a turned phone keeps videos, chat and draft. */
function Call() {
  const { call, callBack } = useCall()
  const { curtain } = useCurtain()
  const page = useRef<HTMLElement>(null)
  const chatShown = useSignal(true)
  const reporting = useSignal(false)
  /** What the safety check had seen when the dialog was opened. The value of the store changes with every look. */
  const seen = useSignal<CurtainSeen | null>(null)
  const phase = call.phase.value
  const t = useTexts()
  useTitle(t(callBack.isCalling.value ? 'call.title.found' : 'call.title'))
  useVisibleWindow(page)
  useWakeLock()
  useFirstFocus(page)

  /** Captures the peer's picture before the dialog covers it. */
  function openReport(): void {
    call.dispatch({ type: 'report-opened' })
    seen.value = curtain.seen.peek()
    reporting.value = true
  }

  return (
    <main
      ref={page}
      tabIndex={-1}
      aria-label={t('call.title')}
      className={styles.page}
      data-scheme="dark"
      data-chat={chatShown.value ? 'shown' : 'hidden'}
    >
      <h1 className="visually-hidden">{t('call.title')}</h1>
      {/* When the call is over, its screen is removed before the next one is shown. */}
      {(phase === 'in-call' || phase === 'warned') && (
        <>
          <section className={styles.stage} aria-label={t('call.pictures')}>
            <PeerVideo onReport={openReport} />
            <SelfView />
          </section>
          <CallControls chatShown={chatShown} onReport={openReport} />
          <ChatPanel />
        </>
      )}
      {(phase === 'in-call' || phase === 'reporting') && <ReadyReportDialog open={reporting} seen={seen} />}
      {phase === 'warned' && <WarningDialog />}
      <LastPeerDialog />
    </main>
  )
}

/**
 * Renders the closed dialog ahead of time at low priority, so that it opens within a frame even on a slow phone. A hidden `Activity` would
 * do so too, but it runs no effects: what its components read would keep them in memory after the call.
 */
function ReadyReportDialog({ open, seen }: { open: Signal<boolean>; seen: Signal<CurtainSeen | null> }) {
  const { call } = useCall()
  const isReady = useDeferredValue(true, false)
  const isOver = useComputed(() => call.phase.value === 'reporting').value
  if (!isReady && !open.value) return null
  return (
    <ReportDialog
      open={open.value}
      peer={<PeerName />}
      isOver={isOver}
      seen={seen.value}
      onReport={(report, details) => {
        call.dispatch({ type: 'report-chosen', report, details })
        open.value = false
      }}
      onDrop={() => {
        call.dispatch({ type: 'report-dropped' })
        open.value = false
      }}
      onLeave={() => call.dispatch({ type: 'leave-now-pressed' })}
    />
  )
}

/**
 * Keeps the screen on while the component is mounted. The browser releases the lock when the page is hidden; it is
 * requested again when the page is visible.
 */
function useWakeLock(): void {
  useEffect(() => {
    let gone = false
    let asking = false
    let lock: WakeLockSentinel | null = null

    async function take(): Promise<void> {
      if (asking || document.visibilityState !== 'visible' || (lock && !lock.released)) return
      asking = true
      try {
        const taken = await navigator.wakeLock.request('screen')
        lock = taken
        if (gone) await taken.release()
      } catch {
        // The lock is denied at low battery, or not supported: the screen may turn off, and the call continues.
      } finally {
        asking = false
      }
    }

    void take()
    document.addEventListener('visibilitychange', take)
    return () => {
      gone = true
      document.removeEventListener('visibilitychange', take)
      lock?.release().catch(() => {})
    }
  }, [])
}

/**
 * Height from which on a covered part of the window is an on-screen keyboard. Phones in landscape have the lowest
 * keyboards. Bars of the browser and of a separate keyboard are at most 56 px high.
 */
const KEYBOARD_MIN_PX = 120

/**
 * While the on-screen keyboard is open for a text field of the page, fits the page to the visible part of the window and sets
 * `data-keyboard` on it. Only Chromium and Firefox resize the page by themselves (`interactive-widget=resizes-content`); on iOS the
 * keyboard covers the page. Changes the element directly, without a render.
 */
function useVisibleWindow(page: RefObject<HTMLElement | null>): void {
  // Runs before the first paint: if a field had the focus earlier, the height without a keyboard would stay unknown.
  useLayoutEffect(() => {
    const element = page.current
    const viewport = window.visualViewport
    if (!element || !viewport) return
    return followKeyboard(element, viewport, matchMedia('(pointer: coarse)'))
  }, [page])
}

/** Returns a function that stops. */
function followKeyboard(page: HTMLElement, viewport: VisualViewport, touch: MediaQueryList): () => void {
  /** Heights of the window without a keyboard, by its width, since turning the phone changes them. */
  const heights = new Map<number, number>()

  function follow(): void {
    // Pinch zoom also shrinks the visual viewport and must not change the layout.
    if (viewport.scale > 1.01) return
    const { width, height, offsetTop } = viewport
    const focused = document.activeElement
    const isTyping = focused?.matches('textarea, input') === true && page.contains(focused)
    if (!isTyping || !touch.matches) {
      // While the focus moves between two fields, the keyboard is still open: only a larger height is stored.
      heights.set(Math.round(width), Math.max(height, heights.get(Math.round(width)) ?? 0))
      show(false)
      return
    }
    const before = heights.get(Math.round(width))
    // The height is unknown if the phone is turned while the keyboard is open. The keyboard then counts as open.
    const covered = before === undefined ? KEYBOARD_MIN_PX : before - height
    show(covered >= KEYBOARD_MIN_PX)
    page.style.setProperty('--visible-height', `${height}px`)
    page.style.setProperty('--visible-top', `${offsetTop}px`)
  }

  function show(isKeyboard: boolean): void {
    page.toggleAttribute('data-keyboard', isKeyboard)
    for (const name of ['--visible-height', '--visible-top']) page.style.removeProperty(name)
  }

  const stop = new AbortController()
  const { signal } = stop
  viewport.addEventListener('resize', follow, { signal })
  viewport.addEventListener('scroll', follow, { signal })
  page.addEventListener('focusin', follow, { signal })
  page.addEventListener('focusout', follow, { signal })
  follow()
  return () => stop.abort()
}

/** A dialog that stays until the user acknowledges the warning, which is possible only after a short wait. */
function WarningDialog() {
  const { call } = useCall()
  const t = useTexts()
  const navigate = useNavigate()
  const waiting = useComputed(() => call.understoodIn.value > 0).value
  const label = useComputed(() => {
    const seconds = call.understoodIn.value
    return seconds > 0 ? t('call.warning.understood-in', { seconds }) : t('call.warning.understood')
  })
  return (
    <Dialog
      alert
      title={t('call.warning.title')}
      actions={
        <>
          {!waiting && (
            <Button variant="quiet" onClick={() => void navigate('/terms-of-service')}>
              {t('call.warning.guidelines')}
            </Button>
          )}
          <Button safe disabled={waiting} onClick={() => call.dispatch({ type: 'understood-pressed' })}>
            <span>{label}</span>
          </Button>
        </>
      }
    >
      <p>{t('call.warning.text')}</p>
      <p>{t('call.warning.again')}</p>
    </Dialog>
  )
}
