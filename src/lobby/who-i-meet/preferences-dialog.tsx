import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { normaliseInterest, type Preferences } from '#protocol/preferences.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { type InterestFault, interestFault } from '../rules/interests.ts'
import type { PreferencesDraft, PreferencesFault, PreferencesStore } from '../state/preferences.ts'
import styles from './chip-field.module.css'
import { InterestField } from './interest-field.tsx'
import { LanguageField } from './language-field.tsx'

type PreferencesDialogProps = { store: PreferencesStore; onClose: () => void; onSaved: () => void }

/** The dialog in which users choose the languages that they speak, and their interests. */
export function PreferencesDialog({ store, onClose, onSaved }: PreferencesDialogProps) {
  const t = useTexts()
  const formId = useId()
  const [failed, setFailed] = useState(false)
  const [first, setFirst] = useState<PreferencesDraft | null>(null)
  const busy = store.saving.value
  useFocusReturn(busy)

  useEffect(() => {
    let isOver = false
    store.load().then((read) => {
      if (isOver) return
      setFirst(read)
      setFailed(read === null)
    })
    return () => {
      isOver = true
    }
  }, [store])

  return (
    <Dialog
      title={t('preferences.title')}
      onClose={busy ? undefined : onClose}
      actions={
        <>
          {first && (
            <Button type="submit" form={formId} disabled={busy}>
              {t(busy ? 'preferences.saving' : 'preferences.save')}
            </Button>
          )}
          <Button look="quiet" safe disabled={busy} onClick={onClose}>
            {t('preferences.cancel')}
          </Button>
        </>
      }
    >
      <p className={styles.hint}>{t('preferences.why')}</p>
      {first ? (
        <PreferencesForm id={formId} store={store} first={first} onSaved={onSaved} />
      ) : (
        <p role="status">{t(failed ? 'preferences.not-read' : 'preferences.loading')}</p>
      )}
    </Dialog>
  )
}

type PreferencesFormProps = { id: string; store: PreferencesStore; first: PreferencesDraft; onSaved: () => void }

function PreferencesForm({ id, store, first, onSaved }: PreferencesFormProps) {
  const t = useTexts()
  const [{ languages, interests, isProposed }, setDraft] = useState(first)
  /** The typed text that is not an interest yet. */
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<PreferencesFault | null>(null)
  const [typedFault, setTypedFault] = useState<InterestFault | null>(null)
  const alert = useRef<HTMLParagraphElement>(null)

  useEffect(() => {
    if (fault === 'failed') alert.current?.scrollIntoView({ block: 'nearest' })
  }, [fault])

  function change(part: Partial<Preferences>): void {
    setFault(null)
    setDraft({ languages, interests, ...part, isProposed: isProposed && !part.languages })
  }

  function type(text: string): void {
    setTypedFault(null)
    setTyped(text)
  }

  /** Turns the typed text into an interest. Returns all interests, or null if the text is no valid interest. */
  function takeTyped(text: string): string[] | null {
    const interest = normaliseInterest(text)
    if (interest === '') return interests
    const wrong = interestFault(interest, interests)
    setTypedFault(wrong)
    if (wrong !== null) return null
    const next = [...interests, interest]
    change({ interests: next })
    setTyped('')
    return next
  }

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    const all = takeTyped(typed)
    if (all === null) return
    setFault(null)
    const reason = await store.save({ languages, interests: all })
    if (reason) setFault(reason)
    else onSaved()
  }

  return (
    <form id={id} className={styles.form} onSubmit={(event) => void save(event)} noValidate>
      <LanguageField
        codes={languages}
        isProposed={isProposed}
        isRefused={fault === 'languages'}
        onChange={(codes) => change({ languages: codes })}
      />
      <InterestField
        interests={interests}
        typed={typed}
        fault={typedFault ?? (fault === 'interests' ? 'refused' : null)}
        suggest={store.suggest}
        onType={type}
        onTake={takeTyped}
        onChange={(next) => change({ interests: next })}
      />
      <p ref={alert} role="alert" className={styles.fault} hidden={fault !== 'failed'}>
        {fault === 'failed' && t('preferences.failed')}
      </p>
    </form>
  )
}
