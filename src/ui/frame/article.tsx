import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { formatDay } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import styles from './article.module.css'
import { PublicPage } from './public-page.tsx'

export type Section = { id: string; title: string; body: ReactNode }

type ArticleProps = {
  title: string
  lead: ReactNode
  /** Day of the last change, yyyy-MM-dd. */
  updated?: string
  sections: readonly Section[]
}

/** A page of text, 68 characters wide, with a table of contents beside the text on desktops. */
export function Article({ title, lead, updated, sections }: ArticleProps) {
  const { texts } = usePlatform()
  const t = useTexts()
  useFragment()
  return (
    <PublicPage title={title}>
      <div className={styles.columns}>
        <nav aria-label={t('frame.contents')} className={styles.contents}>
          <ol>
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
        <article className={styles.article}>
          <h1>{title}</h1>
          {updated && (
            <p className={styles.updated}>{t('frame.updated', { date: formatDay(texts.language.value, updated) })}</p>
          )}
          <p className={styles.lead}>{lead}</p>
          {sections.map(({ id, title, body }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>{title}</h2>
              {body}
            </section>
          ))}
        </article>
      </div>
    </PublicPage>
  )
}

/** Scrolls to the section in the URL, since it is not rendered yet when the browser looks for it. */
function useFragment(): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === '') scrollTo(0, 0)
    else document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
}
