import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { INTEREST_DIGITS_MAX, INTEREST_MAX, INTERESTS_MAX, LANGUAGES_MAX } from '#protocol/constants.ts'
import { normaliseInterest, type Preferences } from '#protocol/preferences.ts'
import { spokenLanguages } from '#protocol/spoken-languages.ts'
import { localeOf } from '../../platform/texts/formats.ts'
import type { Translate } from '../../platform/texts/texts.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import {
  findLanguages,
  type InterestFault,
  interestFault,
  type LanguageOption,
  languageOptions,
  namedLanguages,
  searchable,
} from '../rules/preferences.ts'
import type { PreferencesDraft, PreferencesFault, PreferencesStore } from '../state/preferences.ts'
import styles from './chip-field.module.css'
import { type Chip, ChipField, type Option } from './chip-field.tsx'

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
          <Button variant="quiet" safe disabled={busy} onClick={onClose}>
            {t('preferences.cancel')}
          </Button>
        </>
      }
    >
      <p className="hint">{t('preferences.why')}</p>
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

  /** Adds what is typed to the interests. Returns them, or null if what is typed is no interest. */
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
      <p ref={alert} role="alert" className="fault" hidden={fault !== 'failed'}>
        {fault === 'failed' && t('preferences.failed')}
      </p>
    </form>
  )
}

type LanguageFieldProps = {
  codes: readonly string[]
  isProposed: boolean
  /** True if the server refused the languages. */
  isRefused: boolean
  onChange: (codes: string[]) => void
}

/** A field for the user's languages. The names of all languages are looked up when it first gets the focus. */
function LanguageField({ codes, isProposed, isRefused, onChange }: LanguageFieldProps) {
  const { texts } = usePlatform()
  const t = useTexts()
  const locale = localeOf(texts.language.value)
  const [typed, setTyped] = useState('')
  const [isTouched, setTouched] = useState(false)
  const [problem, setProblem] = useState<'unknown' | null>(null)
  const all = useMemo(() => optionsIn(locale, isTouched), [isTouched, locale])
  const chosen = useMemo(() => languageOptions(codes, locale), [codes, locale])
  const found = findLanguages(all, typed).filter(({ code }) => !codes.includes(code))
  const error = isRefused ? 'refused' : problem

  function type(text: string): void {
    setProblem(null)
    setTyped(text)
  }

  return (
    <ChipField
      label={t('preferences.languages')}
      hint={t('preferences.languages.hint', { max: LANGUAGES_MAX })}
      note={isProposed ? t('preferences.languages.proposed') : null}
      error={error && t(`preferences.languages.${error}`)}
      max={LANGUAGES_MAX}
      chips={codes.flatMap((code) => chosen.filter((option) => option.code === code).map(chipOf))}
      options={found.map(optionOf)}
      typed={typed}
      picksFirst
      onFocus={() => setTouched(true)}
      onType={type}
      onEnter={() => setProblem('unknown')}
      onAdd={(code) => {
        type('')
        onChange([...codes, code])
      }}
      onRemove={(code) => onChange(codes.filter((other) => other !== code))}
    />
  )
}

function optionsIn(locale: string, isTouched: boolean): LanguageOption[] {
  return isTouched ? languageOptions(namedLanguages(spokenLanguages, locale), locale) : []
}

function chipOf({ code, own, name }: LanguageOption): Chip {
  return own === undefined ? { value: code, text: name } : { value: code, text: own, lang: code }
}

/** The second line is the name in the language of the page, unless that is the first line. */
function optionOf(option: LanguageOption): Option {
  const chip = chipOf(option)
  return chip.text === option.name ? chip : { ...chip, detail: option.name }
}

type InterestFieldProps = {
  interests: readonly string[]
  typed: string
  fault: InterestFault | 'refused' | null
  /** Loads the suggestions; called when the field gets the focus. */
  suggest: () => Promise<readonly string[]>
  onType: (text: string) => void
  /** Called with a text that is to become an interest. */
  onTake: (text: string) => void
  onChange: (interests: string[]) => void
}

/** Interests in the user's own words, with interests of many other users as proposals. */
function InterestField({ interests, typed, fault, suggest, onType, onTake, onChange }: InterestFieldProps) {
  const t = useTexts()
  const [suggestions, setSuggestions] = useState<readonly string[]>([])
  const wanted = searchable(typed)
  const options = suggestions
    .filter((each) => searchable(each).includes(wanted) && !interests.includes(each))
    .map((each) => ({ value: each, text: each }))

  return (
    <ChipField
      label={t('preferences.interests')}
      hint={t('preferences.interests.hint', { max: INTERESTS_MAX })}
      note={null}
      error={fault && faultText(t, fault)}
      max={INTERESTS_MAX}
      chips={interests.map((each) => ({ value: each, text: each }))}
      options={options}
      typed={typed}
      picksFirst={false}
      onFocus={() => void suggest().then(setSuggestions)}
      onType={onType}
      onEnter={() => onTake(typed)}
      onAdd={onTake}
      onRemove={(interest) => onChange(interests.filter((other) => other !== interest))}
    />
  )
}

function faultText(t: Translate, fault: InterestFault | 'refused'): string {
  if (fault === 'too-long') return t('preferences.interests.too-long', { max: INTEREST_MAX })
  if (fault === 'digits') return t('preferences.interests.digits', { max: INTEREST_DIGITS_MAX })
  return t(`preferences.interests.${fault}`)
}
