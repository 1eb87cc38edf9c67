import { type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import { type Alive, shouldBeAlive } from '../recorder/alive.ts'
import type { Step, Waterfall } from '../recorder/calls.ts'
import { CLOSING_MS } from '../recorder/findings.ts'
import { exportKinds, type RecorderReport, startRecorder } from '../recorder/recorder.ts'
import styles from './report.module.css'

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
              <Button key={kind} variant="quiet" onClick={() => recorder.save(kind)}>
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

export function Calls({ calls }: Pick<RecorderReport, 'calls'>) {
  const t = useTexts()
  return (
    <section>
      <h2>{t('profiling.calls')}</h2>
      {calls.length === 0 && <p>{t('profiling.calls.none')}</p>}
      {calls
        .map((call, index) => (
          <Call key={call.start} call={call} number={index + 1} isNewest={index === calls.length - 1} />
        ))
        .reverse()}
    </section>
  )
}

function Call({ call, number, isNewest }: { call: Waterfall; number: number; isNewest: boolean }) {
  const t = useTexts()
  const { slowest, slowestAfterMatch } = call
  const title = t(call.isComplete ? 'profiling.call' : 'profiling.call.unfinished', { number, ms: ms(call.ms) })
  const isSlow = (step: Step) =>
    [slowest, slowestAfterMatch].some((one) => one?.label === step.label && one.start === step.start)
  return (
    <>
      <h3>{title}</h3>
      {slowest && <p>{t('profiling.slowest', { step: slowest.label, ms: ms(slowest.ms) })}</p>}
      {slowestAfterMatch && (
        <p>{t('profiling.slowest-after-match', { step: slowestAfterMatch.label, ms: ms(slowestAfterMatch.ms) })}</p>
      )}
      {call.causes.length > 0 && (
        <p>
          {t('profiling.causes', {
            causes: call.causes.map(({ cause, start }) => `${cause} (${ms(start)} ms)`).join(', '),
          })}
        </p>
      )}
      <details open={isNewest}>
        <summary className={styles.steps}>{t('profiling.steps', { count: call.steps.length })}</summary>
        <Table
          label={title}
          head={[t('profiling.step'), t('profiling.start'), t('profiling.length'), t('profiling.place')]}
          rows={call.steps.map((step) => [
            `${step.track}: ${step.label}`,
            ms(step.start),
            ms(step.ms),
            <Bar key="bar" step={step} whole={call.ms} isSlow={isSlow(step)} />,
          ])}
        />
      </details>
    </>
  )
}

/** A bar with length and position of a step within its call. The numbers are beside it. */
function Bar({ step, whole, isSlow }: { step: Step; whole: number; isSlow: boolean }) {
  return (
    <svg
      aria-hidden="true"
      className={`${styles.bar} ${isSlow ? styles.slow : ''}`}
      viewBox={`0 0 ${Math.max(1, whole)} 1`}
      preserveAspectRatio="none"
    >
      <rect x={step.start} width={Math.max(step.ms, whole / 200)} height="1" />
    </svg>
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

type TableProps = { label: string; head: readonly string[]; rows: readonly (readonly ReactNode[])[] }

/** A table that scrolls separately if it is wider than the screen. The first cell of a row is its heading. */
function Table({ label, head, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroller} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest], row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a reading never move
            <tr key={row}>
              <th scope="row">{first}</th>
              {rest.map((cell, column) => (
                <td key={head[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Formats milliseconds. Values below ten have one decimal. */
function ms(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0)
}
