import { type ReadonlySignal, signal } from '@preact/signals-react'
import { useEffect } from 'react'
import { isOneOf } from '#protocol/checks.ts'
import { API_BASE } from '#protocol/constants.ts'
import type { Language } from '#protocol/languages.ts'
import {
  type Indicator,
  TRANSPARENCY_CSV,
  type TransparencyReport,
  type TransparencyRow,
} from '#protocol/transparency.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import { formatMonth, formatNumber, formatTime } from '../../platform/texts/formats.ts'
import type { Translate } from '../../platform/texts/texts.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Article, type Section } from '../../ui/frame/article.tsx'
import { section } from '../use-public-facts.tsx'
import styles from './transparency.module.css'

type Shown = { t: Translate; language: Language; report: TransparencyReport }

const parts = [
  { id: 'notices', indicators: ['notices-received', 'notices-decided', 'notices-median'] },
  {
    id: 'content-notices',
    indicators: ['content-notices-received', 'content-notices-decided', 'content-notices-median'],
  },
  { id: 'measures', indicators: ['restrictions'] },
  { id: 'complaints', indicators: ['complaints', 'complaints-median'] },
  { id: 'machines', indicators: ['automated-share', 'automated-errors'] },
] as const satisfies readonly { id: string; indicators: readonly Indicator[] }[]

/** Shows the last report that the operator has published: counts by part, and a CSV file with the same counts. */
export function TransparencyPage({ store }: { store: TransparencyStore }) {
  const { texts } = usePlatform()
  const { read } = store
  const t = useTexts()
  const published = store.published.value
  useEffect(() => void read(), [read])
  const sections =
    typeof published === 'string'
      ? [statusSection(t, published, read)]
      : reportSections({ t, language: texts.language.value, report: published })
  return <Article title={t('transparency.title')} lead={t('transparency.lead')} sections={[...sections, method(t)]} />
}

function statusSection(t: Translate, state: 'reading' | 'none' | 'unread', read: () => Promise<void>): Section {
  return {
    id: 'report',
    title: t('transparency.report'),
    body: (
      <>
        <p role="status">{t(`transparency.${state}`)}</p>
        {state === 'unread' && (
          <p>
            <Button variant="quiet" onClick={() => void read()}>
              {t('transparency.retry')}
            </Button>
          </p>
        )}
      </>
    ),
  }
}

function reportSections(shown: Shown): Section[] {
  const { t, language, report } = shown
  const { from, to, publishedAt } = report
  const months = { from: formatMonth(language, from), to: formatMonth(language, to) }
  return [
    {
      id: 'report',
      title: t('transparency.report'),
      body: (
        <>
          <p>
            {from === to ? t('transparency.month', months) : t('transparency.months', months)}{' '}
            {t('transparency.published', { date: formatTime(language, publishedAt) })}
          </p>
          <p>
            <a href={`${API_BASE}/${TRANSPARENCY_CSV}`} download>
              {t('transparency.csv')}
            </a>
          </p>
        </>
      ),
    },
    ...parts.map(({ id, indicators }) => ({
      id,
      title: t(`transparency.part.${id}`),
      body: indicators.map((indicator) => <Counts key={indicator} {...shown} indicator={indicator} />),
    })),
  ]
}

function Counts({ t, language, report, indicator }: Shown & { indicator: Indicator }) {
  const rows = report.rows.filter((row) => row.indicator === indicator)
  return (
    <table className={styles.table}>
      <caption>{t(`transparency.indicator.${indicator}`)}</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.scope} className={row.scope === 'total' && rows.length > 1 ? styles.total : undefined}>
            <th scope="row">{t(`transparency.scope.${row.scope}`)}</th>
            <td>{valueText(t, language, row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const isMedian = isOneOf(['notices-median', 'content-notices-median', 'complaints-median'])

function valueText(t: Translate, language: Language, { indicator, value }: TransparencyRow): string {
  if (value === null) return t('transparency.hidden')
  if (isMedian(indicator)) return t('transparency.hours', { hours: value })
  const number = formatNumber(language, value)
  if (indicator === 'automated-share' || indicator === 'automated-errors') return t('transparency.percent', { number })
  return number
}

function method(t: Translate): Section {
  return section(
    'method',
    t('transparency.method'),
    t('transparency.method.small'),
    t('transparency.method.machines'),
    t('transparency.method.records'),
  )
}

/** `none`: nothing is published. `unread`: the request failed. */
type Published = TransparencyReport | 'reading' | 'none' | 'unread'

type TransparencyStore = ReturnType<typeof createTransparencyStore>

export function createTransparencyStore(api: Api, log: Log) {
  const published = signal<Published>('reading')
  return {
    published: published as ReadonlySignal<Published>,
    async read(): Promise<void> {
      published.value = 'reading'
      try {
        published.value = (await api.request('readTransparency', undefined)).report ?? 'none'
      } catch (thrown) {
        published.value = 'unread'
        log.error('The transparency report was not read', thrown)
      }
    },
  }
}
