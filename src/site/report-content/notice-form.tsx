import { type FormEvent, type InputHTMLAttributes, type ReactNode, useRef } from 'react'
import {
  CONTENT_NOTICE_LINK_MAX,
  CONTENT_NOTICE_TEXT_MAX,
  contentNoticeKindSchema,
  SIGNATURE_MAX,
} from '#protocol/content-notices.ts'
import { dayOf, isoDay } from '../../account/rules/age.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/forms/field.tsx'
import fields from '../../ui/forms/fields.module.css'
import { useOperator } from '../../ui/frame/use-operator.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { emptyDraft, type NoticeDraft, type NoticeField, noticeFields } from '../rules/content-notice.ts'
import type { ContentNoticeStore } from '../state/content-notice.ts'
import styles from './report-content.module.css'

const idOf = (field: NoticeField) => `notice-${field}`

/** Reads the draft from the elements of the form, which may contain text that was typed before hydration. */
function draftOf(form: HTMLFormElement): NoticeDraft {
  const filled = new FormData(form)
  const filledIn = (field: NoticeField) =>
    typeof emptyDraft[field] === 'boolean' ? filled.has(field) : String(filled.get(field) ?? '')
  return Object.fromEntries(noticeFields.map((field) => [field, filledIn(field)])) as NoticeDraft
}

/** The form of a notice. Its fields are uncontrolled: rendering never replaces typed text. */
export function NoticeForm({ store }: { store: ContentNoticeStore }) {
  const t = useTexts()
  const form = useRef<HTMLFormElement>(null)
  // False in a prerendered page: there a browser would send the form to the address of the page.
  const isLive = useOperator() !== null
  const failure = store.failure.value

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    store.keep(draftOf(event.currentTarget))
    if (await store.send(isoDay(dayOf(Date.now())))) return
    const wrong = noticeFields.find((field) => store.faults.peek()[field])
    if (wrong) form.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus()
  }

  return (
    <form
      ref={form}
      className={styles.card}
      aria-label={t('report-content.form')}
      method="post"
      noValidate
      onInput={(event) => store.keep(draftOf(event.currentTarget))}
      onSubmit={(event) => void submit(event)}
    >
      <KindField store={store} />
      <TextField
        store={store}
        field="email"
        hint={t('report-content.email.hint')}
        type="email"
        autoComplete="email"
        required
      />
      <div className={styles.moment}>
        <TextField store={store} field="day" type="date" required />
        <TextField store={store} field="time" type="time" />
      </div>
      <TextField
        store={store}
        field="description"
        hint={t('report-content.description.hint')}
        aside={
          <span className={fields.count}>
            {store.draft.value.description.length}/{CONTENT_NOTICE_TEXT_MAX}
          </span>
        }
        rows={7}
      />
      <TextField store={store} field="link" hint={t('report-content.link.hint')} type="url" inputMode="url" />
      <StatementField store={store} field="isTrue" />
      {/* Hidden, not removed, so that a change of the kind keeps what was typed. */}
      <div hidden={store.draft.value.kind !== 'intimate-picture'}>
        <StatementField store={store} field="isGoodFaith" />
        <TextField
          store={store}
          field="signature"
          hint={t('report-content.signature.hint')}
          type="text"
          autoComplete="name"
          required
        />
      </div>
      <p role="alert" className={fields.error}>
        {failure && (
          <>
            <WarningIcon />
            <span>{t(`report-content.failure.${failure}`)}</span>
          </>
        )}
      </p>
      <p role="status">{store.proving.value && t('report-content.proving')}</p>
      <Button type="submit" wide disabled={!isLive || store.sending.value}>
        {t(store.sending.value ? 'report-content.sending' : 'report-content.send')}
      </Button>
      <noscript>
        <p>{t('report-content.no-script')}</p>
      </noscript>
    </form>
  )
}

/** Returns the error text of a field; null if the field is valid. */
function useFault(store: ContentNoticeStore, field: NoticeField): string | null {
  const t = useTexts()
  const fault = store.faults.value[field]
  if (!fault) return null
  if (field === 'signature') return t('report-content.fault.signature', { max: SIGNATURE_MAX })
  if (fault === 'too-long' && field === 'description')
    return t('report-content.fault.description.too-long', { max: CONTENT_NOTICE_TEXT_MAX })
  if (fault === 'too-long' && field === 'link')
    return t('report-content.fault.link.too-long', { max: CONTENT_NOTICE_LINK_MAX })
  if (fault === 'missing' && (field === 'day' || field === 'description'))
    return t(`report-content.fault.${field}.missing`)
  return t(`report-content.fault.${field}`)
}

type TextFieldProps = InputHTMLAttributes<HTMLInputElement> & {
  store: ContentNoticeStore
  field: 'email' | 'day' | 'time' | 'description' | 'link' | 'signature'
  hint?: string
  aside?: ReactNode
  /** Height of the field in lines, for a text of several lines. */
  rows?: number
}

function TextField({ store, field, hint, aside, rows, ...rest }: TextFieldProps) {
  const t = useTexts()
  const fault = useFault(store, field)
  const id = idOf(field)
  const input = {
    id,
    name: field,
    className: fields.input,
    defaultValue: store.draft.peek()[field],
    'aria-invalid': fault !== null,
    'aria-describedby': hint ? `${id}-hint ${id}-error` : `${id}-error`,
  }
  return (
    <Field id={id} label={t(`report-content.${field}`)} aside={aside} error={fault}>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {rows === undefined ? <input {...rest} {...input} /> : <textarea rows={rows} required {...input} />}
    </Field>
  )
}

function KindField({ store }: { store: ContentNoticeStore }) {
  const t = useTexts()
  const fault = useFault(store, 'kind')
  const typed = store.draft.peek()
  return (
    <fieldset className={styles.kinds} aria-describedby={`${idOf('kind')}-error`}>
      <legend>{t('report-content.kind')}</legend>
      {contentNoticeKindSchema.options.map((kind) => (
        <label key={kind} className={styles.choice}>
          <input type="radio" name="kind" value={kind} defaultChecked={typed.kind === kind} />
          <span>{t(`report-content.kind.${kind}`)}</span>
        </label>
      ))}
      <FieldError id={`${idOf('kind')}-error`} text={fault} />
    </fieldset>
  )
}

type StatementFieldProps = { store: ContentNoticeStore; field: 'isTrue' | 'isGoodFaith' }

function StatementField({ store, field }: StatementFieldProps) {
  const t = useTexts()
  const fault = useFault(store, field)
  const id = `${idOf(field)}-error`
  return (
    <div className={fields.field}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          name={field}
          required
          defaultChecked={store.draft.peek()[field]}
          aria-invalid={fault !== null}
          aria-describedby={id}
        />
        <span>{t(`report-content.${field}`)}</span>
      </label>
      <FieldError id={id} text={fault} />
    </div>
  )
}
