import { type FormEvent, useEffect, useState } from 'react'
import { AUTHORITY_MAX, type OpenedPreservation } from '#protocol/console-preservations.ts'
import { shownReference } from '#protocol/content-notices.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './case.module.css'
import { useConsole } from './hooks.ts'
import { counted, dateText, reasonTexts } from './texts.ts'

/** Shows the cases that are preserved for the authorities, and the opened preservation. */
export function PreservationsView() {
  const { preservations } = useConsole()
  const list = preservations.list.value
  const opened = preservations.opened.value

  useEffect(() => {
    void preservations.read()
  }, [preservations])

  if (!list) return <Spinner label="Loading the preservations" />
  return (
    <article className={styles.view} aria-label="Preservations">
      <h2 className={styles.title}>Preserved for the authorities</h2>
      {list.length === 0 && <p className={styles.muted}>There is none. A case is preserved in its own view.</p>}
      <ul className={styles.entries} aria-label="Preserved cases">
        {list.map(({ id, receipt, openedBy, openedAt, confirmedBy, sentAt, endsAt }) => (
          <li key={id}>
            {shownReference(receipt)}{' '}
            <span className={styles.muted}>
              by {openedBy} on {dateText(openedAt)},{' '}
              {confirmedBy === null ? 'waits for a second moderator' : `confirmed by ${confirmedBy}`}
              {sentAt !== null && ', sent'}, kept until {dateText(endsAt)}
            </span>{' '}
            <Button
              variant="plain"
              aria-label={`Open ${shownReference(receipt)}`}
              disabled={preservations.busy.value}
              onClick={() => void preservations.open(id)}
            >
              Open
            </Button>
          </li>
        ))}
      </ul>
      {opened && <Opened key={opened.id} opened={opened} />}
    </article>
  )
}

type OpenedProps = { opened: OpenedPreservation }

function Opened({ opened }: OpenedProps) {
  const { receipt, incidentType, incidentAt, seen, people, reports } = opened
  return (
    <section className={styles.section} aria-label={`Preservation ${shownReference(receipt)}`}>
      <h3 className={styles.heading}>{shownReference(receipt)}</h3>
      <p>
        {incidentType}, {dateText(incidentAt)}. {counted(people, 'account')}.
      </p>
      <p className={styles.words}>{seen}</p>
      {reports.map(({ at, session, reason, note }) => (
        <p key={`${session} ${at}`} className={styles.entry}>
          Report of {dateText(at)}
          {reason && `: ${reasonTexts[reason]}`}
          {note && ` · ${note}`}
        </p>
      ))}
      <Pictures opened={opened} />
      {opened.confirmedAt === null ? <Judgement opened={opened} /> : <Export opened={opened} />}
    </section>
  )
}

/** Shows the pictures, but only when the moderator asks for them. */
function Pictures({ opened: { pictures } }: OpenedProps) {
  const [shows, setShows] = useState(false)
  return (
    <>
      <Button variant="quiet" disabled={pictures.length === 0} onClick={() => setShows(!shows)}>
        {shows ? 'Hide' : 'Show'} {counted(pictures.length, 'picture')}
      </Button>
      {shows && (
        <ul className={styles.pictures}>
          {pictures.map(({ id, kind, at, jpeg }) => (
            <li key={id}>
              {jpeg === null ? (
                <p>Not as it was signed: without its content.</p>
              ) : (
                <img src={`data:image/jpeg;base64,${jpeg}`} alt={kind} />
              )}
              <p className={styles.muted}>
                {kind}, {dateText(at)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Judgement({ opened: { id, openedBy } }: OpenedProps) {
  const { preservations, moderator } = useConsole()
  if (moderator.value?.name === openedBy) return <p role="status">Another moderator must confirm it.</p>
  return (
    <>
      <p>Is this apparent child abuse? If not, the copy is deleted.</p>
      <Button disabled={preservations.busy.value} onClick={() => void preservations.judge(id, true)}>
        Confirm
      </Button>{' '}
      <Button variant="bad" disabled={preservations.busy.value} onClick={() => void preservations.judge(id, false)}>
        It is not: delete the copy
      </Button>
    </>
  )
}

function Export({ opened }: OpenedProps) {
  const { preservations } = useConsole()
  const { id, authority, authorityReference, sentAt, sentBy } = opened

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const [name, reference] = [String(typed.get('authority')), String(typed.get('reference'))]
    void preservations.setSent({ id, authority: name, authorityReference: reference })
  }

  return (
    <>
      <p className={styles.muted}>
        The files contain names, e-mail addresses and pictures. Keep them no longer than the report needs.
      </p>
      <Button
        variant="quiet"
        disabled={preservations.busy.value}
        onClick={() => void preservations.save(opened, 'json')}
      >
        Export as JSON
      </Button>{' '}
      <Button
        variant="quiet"
        disabled={preservations.busy.value}
        onClick={() => void preservations.save(opened, 'html')}
      >
        Export for printing
      </Button>
      {sentAt === null ? (
        <form className={styles.form} onSubmit={submit}>
          <label>
            Authority
            <input name="authority" required maxLength={AUTHORITY_MAX} autoComplete="off" />
          </label>
          <label>
            Its reference
            <input name="reference" required maxLength={AUTHORITY_MAX} autoComplete="off" />
          </label>
          <Button type="submit" disabled={preservations.busy.value}>
            It was sent
          </Button>
        </form>
      ) : (
        <p>
          Sent to {authority} on {dateText(sentAt)} by {sentBy}. Its reference: {authorityReference}
        </p>
      )}
    </>
  )
}
