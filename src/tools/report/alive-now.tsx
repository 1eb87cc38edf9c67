import { useTexts } from '../../platform/use-texts.ts'
import { type Alive, shouldBeAlive } from '../recorder/alive.ts'
import { Table } from './table.tsx'

const counted = ['peerConnections', 'tracks', 'workers', 'objectUrls', 'listeners'] as const

/** What exists now, against what should exist on this page. */
export function AliveNow({ alive }: { alive: Alive }) {
  const t = useTexts()
  const title = t('profiling.alive')
  const rows = counted.map((what) => {
    const [count, most] = [alive[what], shouldBeAlive[what]]
    return [
      t(`profiling.alive.${what}`),
      count > most ? t('profiling.alive.too-many', { count: String(count) }) : count,
      most,
    ]
  })
  const heap = [t('profiling.alive.heapMegabytes'), alive.heapMegabytes ?? t('profiling.alive.unknown'), '–']
  return (
    <section>
      <h2>{title}</h2>
      <Table
        label={title}
        head={[t('profiling.alive.what'), t('profiling.alive.now'), t('profiling.alive.at-most')]}
        rows={[...rows, heap]}
      />
    </section>
  )
}
