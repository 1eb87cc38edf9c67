import { useTexts } from '../../platform/use-texts.ts'
import type { Finding } from '../recorder/findings.ts'
import styles from './profile.module.css'

/** What is slow or left over, in plain words. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const t = useTexts()
  return (
    <section>
      <h2>{t('profiling.findings')}</h2>
      {findings.length === 0 ? (
        <p>{t('profiling.findings.none')}</p>
      ) : (
        <ul className={styles.findings}>
          {findings.map(({ kind, where, count, measured, limit }) => (
            <li key={`${kind} ${where}`} data-finding={kind}>
              {t(`profiling.finding.${kind}`, { where, count, measured, limit })}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
