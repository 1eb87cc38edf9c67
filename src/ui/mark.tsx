import styles from './mark.module.css'

const MARK_SPEAKER =
  'M17.1 6.2Q21 4 24.9 6.2L34.4 11.7Q38.3 14 38.3 18.5V29.5Q38.3 34 34.4 36.2L24.9 41.8Q21 44 18.4 42.5L17.1 41.8Q15.8 41 14.6 42L7 48.2Q5.5 49.5 6 47.6L8.2 38.3Q8.5 36.8 7.2 36.1L6.1 35.4Q3.7 34 3.7 29.5V18.5Q3.7 14 7.6 11.7z'
const MARK_LISTENER =
  'M39.1 6.2Q43 4 46.9 6.2L56.4 11.7Q60.3 14 60.3 18.5V29.5Q60.3 34 56.4 36.2L46.9 41.8Q43 44 39.1 41.8L29.6 36.2Q25.7 34 25.7 29.5V18.5Q25.7 14 29.6 11.7z'
/** The intersection of speaker and listener, which each of the two shapes leaves open. */
const MARK_SHARED =
  'M32 10.4L34.4 11.7Q38.3 14 38.3 18.5V29.5Q38.3 34 34.4 36.2L32 37.6L29.6 36.2Q25.7 34 25.7 29.5V18.5Q25.7 14 29.6 11.7z'

/** The mark without the name, as decoration. Part of the first bundle: keep it small. */
export function Mark({ className }: { className: string | undefined }) {
  return (
    <svg viewBox="3 4 58 46" aria-hidden="true" className={className}>
      <MarkPaths />
    </svg>
  )
}

export function MarkPaths() {
  return (
    <>
      <path className={styles.speaker} d={MARK_SPEAKER + MARK_SHARED} />
      <path className={styles.listener} d={MARK_LISTENER + MARK_SHARED} />
    </>
  )
}
