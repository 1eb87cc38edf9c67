import { useState } from 'react'
import { errorNumber } from '#protocol/errors.ts'
import type { Failure } from '../platform/state/toasts.ts'
import { usePlatform } from '../platform/use-platform.ts'
import { useTexts } from '../platform/use-texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { CloseIcon } from './icon.tsx'
import { SERVICE_STATUS } from './links.ts'
import { Mark } from './mark.tsx'
import { OfflineToast } from './offline-toast.tsx'
import styles from './toasts.module.css'

/** The toasts and the full-screen error overlay. In the first bundle, so that errors are shown without the network. */
export function Toasts({ restart = () => location.assign('/') }: { restart?: () => void }) {
  return (
    <>
      <OfflineToast />
      <OutdatedNotice restart={restart} />
      <Popup />
      <Overlay restart={restart} />
    </>
  )
}

/** A notice that covers nothing that the user has typed, and does not reload the page by itself. */
function OutdatedNotice({ restart }: { restart: () => void }) {
  const { toasts } = usePlatform()
  const t = useTexts()
  return (
    <div role="status" className={styles.banner}>
      {toasts.outdated.value && (
        <p>
          {t('first.outdated')}{' '}
          <button type="button" onClick={restart}>
            {t('first.reload')}
          </button>
        </p>
      )}
    </div>
  )
}

/** The bottom popup. The live region is rendered first, because screen readers announce only changes in it. */
function Popup() {
  const { toasts, texts } = usePlatform()
  const t = useTexts()
  const popup = toasts.popup.value
  return (
    <div role="status" className={styles.region}>
      {popup && (
        <div key={popup.id} className={styles.popup}>
          <p>{texts.format(popup.text, popup.values)}</p>
          {popup.text === 'toasts.hub-unavailable' && <StatusLink newTab />}
          <button type="button" aria-label={t('first.close-message')} className={styles.close} onClick={toasts.dismiss}>
            <CloseIcon />
          </button>
        </div>
      )}
    </div>
  )
}

/** A link to the status page. Loads it anew, since this page may not work; in a new tab to keep the user's input. */
function StatusLink({ newTab = false }: { newTab?: boolean }) {
  const t = useTexts()
  return (
    <a href={SERVICE_STATUS.to} {...(newTab && { target: '_blank', rel: 'noopener' })}>
      {t('first.service-status')}
    </a>
  )
}

/** True for a failure that the status of the service may explain. */
function isOfService({ kind, code }: Failure): boolean {
  return kind === 'http' || code === 'hub-unavailable'
}

function Overlay({ restart }: { restart: () => void }) {
  const { toasts } = usePlatform()
  const failure = toasts.failure.value
  return failure && <FailureDialog failure={failure} restart={restart} />
}

function FailureDialog({ failure, restart }: { failure: Failure; restart: () => void }) {
  const { toasts } = usePlatform()
  const t = useTexts()
  const [picked] = useState(pickFriendly)
  const isOutdated = toasts.outdated.value
  const [title, message] = isOutdated ? outdatedKeys : keysOf(failure, picked)
  const number = errorNumber(failure.code)
  const shownCode = failure.kind === 'client' ? `E${number}` : `${number}`
  return (
    <Dialog
      alert
      title={
        <>
          <Mark label="" className={styles.mark} />
          {t(title)}
        </>
      }
      className={styles.overlay}
      actions={
        failure.resume ? (
          <>
            <Button look="quiet" onClick={() => toasts.resume('back')}>
              {t('first.back')}
            </Button>
            <Button safe onClick={() => toasts.resume('again')}>
              {t('first.try-again')}
            </Button>
          </>
        ) : (
          <Button safe onClick={restart}>
            {t(failure.kind === 'refusal' ? 'toasts.refused.back' : isOutdated ? 'first.reload' : 'first.try-again')}
          </Button>
        )
      }
    >
      <p>{t(message).replace('<code/>', shownCode)}</p>
      {isOfService(failure) && (
        <p className={styles.status}>
          <StatusLink newTab={failure.resume !== undefined} />
        </p>
      )}
    </Dialog>
  )
}

/** Numbers of the friendly texts for a failure of the application. One is picked at random. */
const friendly = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const
type Friendly = (typeof friendly)[number]

function pickFriendly(): Friendly {
  return friendly[Math.floor(Math.random() * friendly.length)] ?? 0
}

const outdatedKeys = ['first.outdated', 'first.outdated.text'] as const

/** Returns title and text. The texts of a refusal are loaded with the screens on which it is possible. */
function keysOf({ kind, code }: Failure, picked: Friendly) {
  if (kind === 'refusal') return [`toasts.refused.${code}.title`, `toasts.refused.${code}.text`] as const
  if (kind !== 'application') return ['first.failure.title', `first.failure.${errorNumber(code)}`] as const
  return [`first.friendly.${picked}.title`, `first.friendly.${picked}.text`] as const
}
