import { useEffect, useState } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import { type Alive, shouldBeAlive } from '../recorder/alive.ts'
import { CLOSING_MS } from '../recorder/findings.ts'
import { exportKinds, type RecorderReport, startRecorder } from '../recorder/recorder.ts'
import { Calls } from './calls.tsx'
import styles from './report.module.css'
import { ms, Table } from './table.tsx'

const CLOSED_AFTER_MS = CLOSING_MS + 100

/** Shows the measurements of this browser until the page was opened or refreshed. */
export function ReportPage() {
  const [recorder] = useState(startRecorder)
  const t = useTexts()
  const [report, setReport] = useState<RecorderReport>(recorder.read)
  // The last screen closes its objects within some seconds. Objects that are still open then are leaks.
  useEffect(() => {
    const timer = setTimeout(() => setReport(recorder.read()), CLOSED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [recorder])
  return (
    <PublicPage title={t('profiling.title')}>
      <div className={styles.page}>
        <h1>{t('profiling.title')}</h1>
        <p>{t('profiling.lead')}</p>
        <div className={styles.actions}>
          <Button onClick={() => setReport(recorder.read())}>{t('profiling.refresh')}</Button>
        </div>
        <Findings findings={report.findings} />
        <section>
          <h2>{t('profiling.save')}</h2>
          <div className={styles.actions}>
            {exportKinds.map((kind) => (
              <Button key={kind} look="quiet" onClick={() => recorder.save(kind)}>
                {t(`profiling.save.${kind}`)}
              </Button>
            ))}
          </div>
        </section>
        <Calls calls={report.calls} />
        <Requests requests={report.requests} />
        <AliveNow alive={report.alive} />
      </div>
    </PublicPage>
  )
}

/** Shows what is slow or was not released, in plain words. */
function Findings({ findings }: Pick<RecorderReport, 'findings'>) {
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

function Requests({ requests }: Pick<RecorderReport, 'requests'>) {
  const t = useTexts()
  const title = t('profiling.requests')
  const both = ({ p50, p95 }: { p50: number; p95: number }) => `${ms(p50)} / ${ms(p95)}`
  return (
    <section>
      <h2>{title}</h2>
      {requests.length === 0 ? (
        <p>{t('profiling.requests.none')}</p>
      ) : (
        <Table
          label={title}
          head={[
            t('profiling.method'),
            t('profiling.count'),
            t('profiling.queue'),
            t('profiling.work'),
            t('profiling.reply'),
          ]}
          rows={requests.map((row) => [row.method, row.count, both(row.queue), both(row.work), both(row.reply)])}
        />
      )}
    </section>
  )
}

/** Shows the numbers of existing objects beside the numbers that may exist on this page. */
function AliveNow({ alive }: Pick<RecorderReport, 'alive'>) {
  const t = useTexts()
  const title = t('profiling.alive')
  const rows = (Object.keys(shouldBeAlive) as (keyof Alive)[]).map((what) => {
    const [count, most] = [alive[what], shouldBeAlive[what]]
    return [
      t(`profiling.alive.${what}`),
      count > most ? t('profiling.alive.too-many', { count: String(count) }) : count,
      most,
    ]
  })
  return (
    <section>
      <h2>{title}</h2>
      <Table
        label={title}
        head={[t('profiling.alive.what'), t('profiling.alive.now'), t('profiling.alive.at-most')]}
        rows={rows}
      />
    </section>
  )
}
