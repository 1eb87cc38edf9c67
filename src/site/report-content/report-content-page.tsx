import { useEffect, useRef } from 'react'
import { shownReference } from '#protocol/content-notices.ts'
import { formatMoment } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Linked } from '../../ui/frame/linked.tsx'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import type { ContentNoticeStore } from '../state/content-notice.ts'
import { NoticeForm } from './notice-form.tsx'
import { NoticeLookup } from './notice-lookup.tsx'
import styles from './report-content.module.css'

/** The form for people without an account: an intimate picture without consent, or impersonation. */
export function ReportContentPage({ store }: { store: ContentNoticeStore }) {
  const t = useTexts()
  const title = t('report-content.title')
  useTitle(title)
  return (
    <PublicPage>
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
      <Button look="quiet" onClick={store.again}>
        {t('report-content.receipt.again')}
      </Button>
    </section>
  )
}
