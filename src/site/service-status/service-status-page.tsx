import { useEffect } from 'react'
import type { ServicePart, ServiceStatus } from '#protocol/service-status.ts'
import { formatMoment } from '../../platform/texts/formats.ts'
import { usePlatform } from '../../platform/use-platform.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import { type SeenStatus, serviceParts, summaryOf } from '../rules/service-status.ts'
import type { ServiceStatusStore } from '../state/service-status.ts'
import styles from '../status-card.module.css'

/** Says what works and what does not. Keeps itself up to date while it is visible. */
export function ServiceStatusPage({ store }: { store: ServiceStatusStore }) {
  const { watch } = store
  const t = useTexts()
  const title = t('service-status.title')
  const seen = store.seen.value
  useEffect(watch, [watch])
  return (
    <PublicPage title={title}>
      <section className={styles.card}>
        <h1>{title}</h1>
        <div role="status" className={styles.state}>
          <State seen={seen} />
        </div>
        <Looked seen={seen} />
      </section>
    </PublicPage>
  )
}

function State({ seen }: { seen: SeenStatus }) {
  const t = useTexts()
  const time = useMoment()
  switch (seen.what) {
    case 'reading':
      return <p>{t('service-status.reading')}</p>
    case 'offline':
      return <p className={styles.summary}>{t('service-status.offline')}</p>
    case 'unreachable':
      return (
        <>
          <p className={styles.summary}>{t('service-status.unreachable')}</p>
          <p>{t('service-status.since', { time: time(seen.since) })}</p>
          <p>{t('service-status.unreachable.help')}</p>
        </>
      )
    case 'read':
      return (
        <>
          <p className={styles.summary}>{t(`service-status.${summaryOf(seen.status)}`)}</p>
          <ul className={styles.parts}>
            {serviceParts.map((part) => (
              <Part key={part} part={part} found={seen.status[part]} />
            ))}
          </ul>
        </>
      )
  }
}

function Part({ part, found }: { part: ServicePart; found: ServiceStatus[ServicePart] }) {
  const t = useTexts()
  const time = useMoment()
  return (
    <li data-state={found.state}>
      <p>{t(`service-status.${part}.${found.state}`)}</p>
      {found.state !== 'works' && (
        <p className={styles.help}>
          {t('service-status.since', { time: time(found.since) })} {t(`service-status.${part}.${found.state}.help`)}
        </p>
      )}
    </li>
  )
}

/** Shows when the status was read. It is outside of the live region, since it changes with every response. */
function Looked({ seen }: { seen: SeenStatus }) {
  const t = useTexts()
  const time = useMoment()
  return (
    <p className={styles.looked}>
      {seen.what === 'read' && `${t('service-status.looked', { time: time(seen.at) })} `}
      {t('service-status.again')}
    </p>
  )
}

function useMoment(): (at: number) => string {
  const { texts } = usePlatform()
  const language = texts.language.value
  return (at) => formatMoment(language, at)
}
