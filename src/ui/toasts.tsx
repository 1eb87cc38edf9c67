import { useState, useSyncExternalStore } from 'react'
import { errorNumber } from '#protocol/errors.ts'
import type { Failure } from '../platform/state/toasts.ts'
import { usePlatform } from '../platform/use-platform.ts'
import { useTexts } from '../platform/use-texts.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Dialog } from './dialog.tsx'
import { CloseIcon } from './icon.tsx'
import { SERVICE_STATUS } from './links.ts'
import { Mark } from './mark.tsx'
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

/** A toast that is shown while the browser is offline. Requests wait, and continue by themselves. */
function OfflineToast() {
  const t = useTexts()
  const online = useSyncExternalStore(
    onOnlineChange,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status" className={styles.banner}>
      {!online && <p>{t('first.offline')}</p>}
    </div>
  )
}

function onOnlineChange(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Says that the page is outdated. Covers nothing that the user has typed, and reloads nothing by itself. */
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
          <button
            type="button"
            aria-label={t('first.close-message')}
            className={classNames('icon-button', styles.close)}
            onClick={toasts.dismiss}
          >
            <CloseIcon />
          </button>
        </div>
      )}
    </div>
  )
}

/** Loads a new page, because the open page may be what does not work. With `newTab` the user's input in this page is kept. */
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
          <Mark className={styles.mark} />
          {t(title)}
        </>
      }
      className={styles.overlay}
      actions={
        failure.resume ? (
          <>
            <Button variant="quiet" onClick={() => toasts.resume('back')}>
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

/** Numbers of the texts for a failure of the application, of which a random text is shown. */
const friendly = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const
type Friendly = (typeof friendly)[number]

function pickFriendly(): Friendly {
  return friendly[Math.floor(Math.random() * friendly.length)] ?? 0
}

const outdatedKeys = ['first.outdated', 'first.outdated.text'] as const

/** The texts of a refusal come with the screens on which a refusal can happen. */
function keysOf({ kind, code }: Failure, picked: Friendly) {
  if (kind === 'refusal') return [`toasts.refused.${code}.title`, `toasts.refused.${code}.text`] as const
  if (kind !== 'application') return ['first.failure.title', `first.failure.${errorNumber(code)}`] as const
  return [`first.friendly.${picked}.title`, `first.friendly.${picked}.text`] as const
}
