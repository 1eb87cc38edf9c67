import { type FormEvent, useEffect, useRef, useState } from 'react'
import { shownReference } from '#protocol/content-notices.ts'
import { formatMoment } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/forms/field.tsx'
import fields from '../../ui/forms/fields.module.css'
import { Linked } from '../../ui/frame/linked.tsx'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import { useOperator } from '../../ui/frame/use-operator.ts'
import type { ContentNoticeStore } from '../state/content-notice.ts'
import { NoticeForm } from './notice-form.tsx'
import styles from './report-content.module.css'

/** The form in which people without an account report an intimate picture without consent, or impersonation. */
export function ReportContentPage({ store }: { store: ContentNoticeStore }) {
  const t = useTexts()
  const title = t('report-content.title')
  return (
    <PublicPage title={title}>
      <article className={styles.article}>
        <h1>{title}</h1>
        <p className={styles.lead}>{t('report-content.lead')}</p>
        {store.receipt.value ? <Receipt store={store} /> : <NoticeForm store={store} />}
        <section aria-labelledby="next-title">
          <h2 id="next-title">{t('report-content.next')}</h2>
          <ol>
            <li>{t('report-content.next.receipt')}</li>
            <li>{t('report-content.next.read')}</li>
            <li>{t('report-content.next.answer')}</li>
            <li>{t('report-content.next.complain')}</li>
          </ol>
        </section>
        <NoticeLookup store={store} />
        <section aria-labelledby="data-title">
          <h2 id="data-title">{t('report-content.data')}</h2>
          <p>
            <Linked text={t('report-content.data.text')} />
          </p>
        </section>
      </article>
    </PublicPage>
  )
}

function Receipt({ store }: { store: ContentNoticeStore }) {
  const t = useTexts()
  const { texts } = usePlatform()
  const heading = useRef<HTMLHeadingElement>(null)
  const receipt = store.receipt.value
  useEffect(() => heading.current?.focus(), [])
  if (!receipt) return null
  const moment = (at: number) => formatMoment(texts.language.value, at)
  return (
    <section className={styles.card} aria-labelledby="receipt-title">
      <h2 id="receipt-title" ref={heading} tabIndex={-1}>
        {t('report-content.receipt')}
      </h2>
      <dl className={styles.facts}>
        <dt>{t('report-content.reference')}</dt>
        <dd className={styles.reference}>{shownReference(receipt.reference)}</dd>
        <dt>{t('report-content.received')}</dt>
        <dd>{moment(receipt.at)}</dd>
        <dt>{t('report-content.due')}</dt>
        <dd>{moment(receipt.dueAt)}</dd>
      </dl>
      <p>{t('report-content.receipt.keep')}</p>
      <Button variant="quiet" onClick={store.again}>
        {t('report-content.receipt.again')}
      </Button>
    </section>
  )
}

/** Shows the state of a notice by its number and e-mail address, and deletes it. */
function NoticeLookup({ store }: { store: ContentNoticeStore }) {
  const t = useTexts()
  const isLive = useOperator() !== null
  const lookup = store.lookup.value
  const shown = lookup === 'none' || lookup === 'found' ? null : lookup

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    void store.read({ reference: String(typed.get('reference')), email: String(typed.get('own-email')).trim() })
  }

  return (
    <section aria-labelledby="lookup-title">
      <h2 id="lookup-title">{t('report-content.lookup')}</h2>
      <form className={styles.card} method="post" noValidate onSubmit={submit}>
        <Field id="lookup-reference" label={t('report-content.reference')}>
          <input
            id="lookup-reference"
            name="reference"
            className={fields.input}
            required
            autoComplete="off"
            spellCheck={false}
            placeholder="0A1B-2C3D-4E5F"
          />
        </Field>
        <Field id="lookup-email" label={t('report-content.email')}>
          <input
            id="lookup-email"
            name="own-email"
            type="email"
            autoComplete="email"
            className={fields.input}
            required
          />
        </Field>
        <Button type="submit" variant="quiet" disabled={!isLive || lookup === 'reading'}>
          {t('report-content.lookup.read')}
        </Button>
      </form>
      <div role="status">
        {shown && <p>{t(`report-content.lookup.${shown}`)}</p>}
        {lookup === 'found' && <Found store={store} />}
      </div>
    </section>
  )
}

function Found({ store }: { store: ContentNoticeStore }) {
  const t = useTexts()
  const { texts } = usePlatform()
  const [asking, setAsking] = useState(false)
  const notice = store.found.value
  if (!notice) return null
  const { reference, kind, at, dueAt, answer } = notice
  const moment = (time: number) => formatMoment(texts.language.value, time)

  function erase(): void {
    setAsking(false)
    void store.erase()
  }

  return (
    <div className={styles.card}>
      <dl className={styles.facts}>
        <dt>{t('report-content.reference')}</dt>
        <dd className={styles.reference}>{shownReference(reference)}</dd>
        <dt>{t('report-content.kind')}</dt>
        <dd>{t(`report-content.kind.${kind}`)}</dd>
        <dt>{t('report-content.received')}</dt>
        <dd>{moment(at)}</dd>
        <dt>{t('report-content.state')}</dt>
        <dd>
          {answer
            ? t(`report-content.state.${answer.outcome}`, { date: moment(answer.at) })
            : t('report-content.state.open', { date: moment(dueAt) })}
        </dd>
      </dl>
      {answer && <p className={styles.answer}>{answer.text}</p>}
      <Button variant="plain" onClick={() => setAsking(true)}>
        {t('report-content.erase')}
      </Button>
      {asking && (
        <Dialog
          title={t('report-content.erase.title')}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button variant="quiet" safe onClick={() => setAsking(false)}>
                {t('report-content.erase.keep')}
              </Button>
              <Button variant="bad" onClick={erase}>
                {t('report-content.erase')}
              </Button>
            </>
          }
        >
          <p>{t('report-content.erase.text')}</p>
        </Dialog>
      )}
    </div>
  )
}
