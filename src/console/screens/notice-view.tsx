import type { FormEvent } from 'react'
import type { OpenedContentNotice } from '#protocol/console-notices.ts'
import { CONTENT_NOTICE_TEXT_MAX, contentNoticeOutcomeSchema, shownReference } from '#protocol/content-notices.ts'
import { parse } from '#protocol/parse.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './case.module.css'
import { Fact } from './case-view.tsx'
import { useConsole } from './hooks.ts'
import { dateText, dueText, noticeEmailTexts, noticeKindTexts, noticeOutcomeTexts } from './texts.ts'

/** Shows a content notice and its answer. */
export function NoticeView() {
  const { opened, missing } = useConsole().notices
  const notice = opened.value
  if (missing.value) return <p>There is no such notice. Its person may have deleted it.</p>
  if (!notice) return <Spinner label="Loading the notice" />
  return (
    <article className={styles.view} aria-label={`Notice ${shownReference(notice.reference)}`}>
      <Head notice={notice} />
      <section className={styles.section}>
        <h3 className={styles.heading}>What the person writes</h3>
        <p className={styles.muted}>Anybody may have written this. Do not open a link from here.</p>
        <p className={styles.words}>{notice.description}</p>
        {notice.link !== null && (
          <p className={styles.entry}>
            <span className={styles.muted}>Link, not opened: </span>
            {notice.link}
            <span className={styles.muted}> (on {serverOf(notice.link)})</span>
          </p>
        )}
        {notice.kind === 'intimate-picture' && <Statements notice={notice} />}
      </section>
      {notice.answer ? <Answer notice={notice} answer={notice.answer} /> : <AnswerForm notice={notice} />}
    </article>
  )
}

/** The statements that the TAKE IT DOWN Act requires. A notice from an earlier version of the page has none. */
function Statements({ notice: { signature, isGoodFaith } }: { notice: OpenedContentNotice }) {
  return (
    <p className={styles.entry}>
      <span className={styles.muted}>Signed: </span>
      {signature ?? 'no'}
      <span className={styles.muted}>
        . States in good faith that there was no consent: {isGoodFaith ? 'yes' : 'no'}.
      </span>
    </p>
  )
}

/**
 * Returns the host of a link in ASCII, so that names that look alike can be distinguished. In links of old notices the
 * host may follow an @.
 */
function serverOf(link: string): string {
  try {
    return new URL(link).host
  } catch {
    // The text is no URL. `URL.canParse` exists in Chrome only since 120.
    return 'no server'
  }
}

function Head({ notice: { reference, kind, email, day, time, at, dueAt, answer } }: { notice: OpenedContentNotice }) {
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>Notice {shownReference(reference)}</h2>
      <dl className={styles.facts}>
        <Fact name="Kind">{noticeKindTexts[kind]}</Fact>
        <Fact name="Received">{dateText(at)}</Fact>
        <Fact name="Deadline">{answer ? dateText(dueAt) : `${dateText(dueAt)} (${dueText(dueAt, Date.now())})`}</Fact>
        <Fact name="Happened">{time === null ? day : `${day}, ${time} (their clock)`}</Fact>
        <Fact name="Contact">{email}</Fact>
      </dl>
    </header>
  )
}

type AnswerProps = { notice: OpenedContentNotice; answer: NonNullable<OpenedContentNotice['answer']> }

function Answer({ notice: { emailState }, answer: { outcome, text, at, moderator } }: AnswerProps) {
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>The answer</h3>
      <p>
        {noticeOutcomeTexts[outcome]}, by {moderator} on {dateText(at)}
      </p>
      <p className={styles.words}>{text}</p>
      <p role="status" className={styles.muted}>
        {noticeEmailTexts[emailState]}
      </p>
    </section>
  )
}

function AnswerForm({ notice: { emailState } }: { notice: OpenedContentNotice }) {
  const { notices } = useConsole()

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const outcome = parse(contentNoticeOutcomeSchema, typed.get('outcome'))
    void notices.answer({ outcome, text: String(typed.get('text')) })
  }

  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>Answer</h3>
      <p className={styles.muted}>
        {emailState === 'off'
          ? 'No mail server is configured: the person reads the answer with the reference number.'
          : 'The answer is e-mailed, and can be read with the reference number. Others may read the mailbox: do not repeat what was reported.'}
      </p>
      <form className={styles.form} onSubmit={submit}>
        <label>
          Outcome
          <select name="outcome" defaultValue="acted">
            {contentNoticeOutcomeSchema.options.map((outcome) => (
              <option key={outcome} value={outcome}>
                {noticeOutcomeTexts[outcome]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Answer to the person
          <textarea name="text" rows={6} required maxLength={CONTENT_NOTICE_TEXT_MAX} />
        </label>
        <Button type="submit" disabled={notices.answering.value}>
          Answer
        </Button>
      </form>
    </section>
  )
}
