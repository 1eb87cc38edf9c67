import { useState } from 'react'
import { HTTP_ERROR_TITLE, httpErrorText } from '#protocol/errors.ts'
import type { Failure } from '../stores/notices.ts'
import { useVisitor } from '../stores/stores.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { type FriendlyText, friendlyTexts } from './friendly-texts.ts'
import { CloseIcon } from './icon.tsx'
import { Mark } from './mark.tsx'
import styles from './notices.module.css'
import { OfflineNotice } from './offline-notice.tsx'

/** The word of a missing network, the bottom popup and the full-screen error overlay. Part of the first bundle: an error must not need the network. */
export function Notices({ restart = () => location.assign('/') }: { restart?: () => void }) {
  return (
    <>
      <OfflineNotice />
      <Popup />
      <Overlay restart={restart} />
    </>
  )
}

/** The live region is there before its text, or nobody would hear it. */
function Popup() {
  const { notices } = useVisitor()
  const popup = notices.popup.value
  return (
    <div role="status" className={styles.region}>
      {popup && (
        <div key={popup.id} className={styles.popup}>
          <p>{popup.text}</p>
          <button type="button" aria-label="Close message" className={styles.close} onClick={notices.dismiss}>
            <CloseIcon />
          </button>
        </div>
      )}
    </div>
  )
}

function Overlay({ restart }: { restart: () => void }) {
  const { notices } = useVisitor()
  const failure = notices.failure.value
  return failure && <FailureDialog failure={failure} restart={restart} />
}

function FailureDialog({ failure, restart }: { failure: Failure; restart: () => void }) {
  const [{ title, message }] = useState(() => textOf(failure))
  return (
    <Dialog
      alert
      title={
        <>
          <Mark label="" className={styles.mark} />
          {title}
        </>
      }
      className={styles.overlay}
      actions={<Button onClick={restart}>Try again !</Button>}
    >
      <p>{message}</p>
    </Dialog>
  )
}

function textOf({ kind, code }: Failure): FriendlyText {
  if (kind === 'http') return { title: HTTP_ERROR_TITLE, message: httpErrorText(code) }
  return friendlyTexts[Math.floor(Math.random() * friendlyTexts.length)] ?? friendlyTexts[0]
}
