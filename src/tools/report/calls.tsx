import { useTexts } from '../../platform/use-texts.ts'
import type { Step, Waterfall } from '../recorder/calls.ts'
import styles from './report.module.css'
import { ms, Table } from './table.tsx'

export function Calls({ calls }: { calls: readonly Waterfall[] }) {
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
