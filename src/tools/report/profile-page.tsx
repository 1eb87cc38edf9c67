import { useEffect, useState } from 'react'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { PublicPage } from '../../ui/frame/public-page.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import { CLOSING_MS } from '../recorder/findings.ts'
import { exportKinds, type Profile, startRecorder } from '../recorder/recorder.ts'
import { AliveNow } from './alive-now.tsx'
import { Calls } from './calls.tsx'
import { Findings } from './findings.tsx'
import { Interactions } from './interactions.tsx'
import { ms } from './numbers.ts'
import styles from './profile.module.css'
import { Table } from './table.tsx'

const CLOSED_AFTER_MS = CLOSING_MS + 100

/** Shows what this browser has measured, as it was when the page opened or was refreshed. */
export function ProfilePage() {
  const [recorder] = useState(startRecorder)
  const t = useTexts()
  const [profile, setProfile] = useState<Profile>(recorder.read)
  useTitle(t('profiling.title'))
  // What the last screen has opened is closed within some seconds; what is left then is left over.
  useEffect(() => {
    const timer = setTimeout(() => setProfile(recorder.read()), CLOSED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [recorder])
  return (
    <PublicPage>
      <div className={styles.page}>
        <h1>{t('profiling.title')}</h1>
        <p>{t('profiling.lead')}</p>
        <div className={styles.actions}>
          <Button onClick={() => setProfile(recorder.read())}>{t('profiling.refresh')}</Button>
        </div>
        <Findings findings={profile.findings} />
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
        <Calls calls={profile.calls} />
        <Requests requests={profile.requests} />
        <Interactions inp={profile.inp} interactions={profile.interactions} frames={profile.longFrames} />
        <AliveNow alive={profile.alive} />
        <LoadedFiles files={profile.files} />
      </div>
    </PublicPage>
  )
}

function Requests({ requests }: Pick<Profile, 'requests'>) {
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

function LoadedFiles({ files }: Pick<Profile, 'files'>) {
  const t = useTexts()
  const title = t('profiling.files')
  return (
    <section>
      <h2>{title}</h2>
      <Table
        label={title}
        head={[t('profiling.file'), t('profiling.start'), t('profiling.length'), t('profiling.bytes')]}
        rows={files.map(({ file, at, ms: length, bytes }) => [file, ms(at), ms(length), bytes])}
      />
    </section>
  )
}
