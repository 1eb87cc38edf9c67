import styles from './console.module.css'
import { useConsole } from './context.ts'
import { spanText } from './texts.ts'

/** Statistics of open cases and of the last days' decisions. */
export function StatisticsStrip() {
  const statistics = useConsole().statistics.value
  if (!statistics) return <div className={styles.statistics} />
  const { open, appeals, overdue, oldestAt, days, decided, upheld, medianMs } = statistics
  const share = decided === 0 ? '–' : `${Math.round((upheld / decided) * 100)} %`
  const most = Math.max(1, ...days.map((day) => day.decided))
  return (
    <dl className={styles.statistics} aria-label="Statistics">
      <Statistic name="Open" value={String(open)} />
      <Statistic name="Appeals" value={String(appeals)} />
      <Statistic name="Overdue" value={String(overdue)} />
      <Statistic name="Oldest" value={oldestAt === null ? '–' : spanText(Date.now() - oldestAt)} />
      <Statistic name={`Decided in ${days.length} days`} value={String(decided)} />
      <Statistic name="Upheld" value={share} />
      <Statistic name="Median time" value={medianMs === null ? '–' : spanText(medianMs)} />
      <div className={styles.statistic}>
        <dt className="visually-hidden">Decided per day</dt>
        <dd>
          <svg viewBox={`0 0 ${days.length * 8} 32`} className={styles.chart} role="img" aria-label={chartText(days)}>
            {days.map(({ day, decided: count }, index) => (
              <rect
                key={day}
                x={index * 8 + 1}
                width="6"
                y={31 - (30 * count) / most}
                height={(30 * count) / most + 1}
                fill="currentColor"
              />
            ))}
          </svg>
        </dd>
      </div>
    </dl>
  )
}

function chartText(days: readonly { day: string; decided: number }[]): string {
  return `Decided per day: ${days.map(({ day, decided }) => `${day} ${decided}`).join(', ')}`
}

function Statistic({ name, value }: { name: string; value: string }) {
  return (
    <div className={styles.statistic}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
