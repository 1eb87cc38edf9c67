import type { Case, CaseEvidence as Picture } from '#protocol/console.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import styles from './case.module.css'
import { useConsole } from './context.ts'
import { dateText, evidenceTexts, senderTexts } from './texts.ts'
import { useKeys } from './use-keys.ts'

/** Characters of a match's id that are shown; enough to distinguish the matches of a case. */
const MATCH_ID_SHOWN = 8

/** Pictures of both sides. Each is fetched only on request and can be hidden again. */
export function CaseEvidence({ shown }: { shown: Case }) {
  const { evidence } = shown
  const store = useConsole()
  const pictures = store.pictures.value
  const veiled = evidence.some(({ id }) => pictures.get(id)?.open !== true)

  useKeys({ e: () => void Promise.all(evidence.map(({ id }) => store.unveil(id, veiled))) })

  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>Evidence</h3>
      {evidence.length === 0 ? (
        <p className={styles.muted}>There is none.</p>
      ) : (
        <p className={styles.muted}>
          A picture is what a browser sent: a hint, and no proof by itself. The server vouches for when it came, whose
          browser sent it, and the match that was on.
        </p>
      )}
      <ul className={styles.pictures}>
        {evidence.map((picture) => (
          <li key={picture.id}>
            <Frame picture={picture} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Frame({ picture: { id, kind, session, reporter, at } }: { picture: Picture }) {
  const store = useConsole()
  const loaded = store.pictures.value.get(id)
  const open = loaded?.open === true
  const name = evidenceTexts[kind]
  return (
    <figure className={styles.frame}>
      <div className={styles.picture}>
        {loaded?.url && <img src={loaded.url} alt={name} className={classNames(!open && styles.veiled)} />}
        {loaded?.state === 'broken' && <p role="alert">This is not as it was signed. Do not rely on it.</p>}
      </div>
      <figcaption>
        <p>
          {name}
          {reporter && ` · reported by ${reporter}`}
        </p>
        <p className={styles.muted}>{senderTexts[kind]}</p>
        <p className={styles.muted}>
          {dateText(at)}
          {session && ` · match ${session.slice(0, MATCH_ID_SHOWN)}`}
          {loaded?.state === 'intact' && ' · unchanged since it came'}
        </p>
        {loaded?.state !== 'broken' && (
          <Button
            look="quiet"
            aria-label={`${open ? 'Hide' : 'Show'}: ${name}`}
            onClick={() => void store.unveil(id, !open)}
          >
            {open ? 'Hide' : 'Show'}
          </Button>
        )}
      </figcaption>
    </figure>
  )
}
