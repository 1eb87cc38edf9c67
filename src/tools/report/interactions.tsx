import { useTexts } from '../../platform/use-texts.ts'
import type { Inp, Interaction, LongFrame } from '../recorder/page-timing.ts'
import { ms } from './numbers.ts'
import { Table } from './table.tsx'

type InteractionsProps = { inp: Inp | null; interactions: readonly Interaction[]; frames: readonly LongFrame[] }

/** What the user did and how soon it showed, and the frames that took long. */
export function Interactions({ inp, interactions, frames }: InteractionsProps) {
  const t = useTexts()
  const title = t('profiling.interactions')
  const longFrames = t('profiling.frames')
  return (
    <>
      <section>
        <h2>{title}</h2>
        {inp && (
          <p>
            {t('profiling.inp', { ms: ms(inp.ms), kind: inp.kind, target: inp.target || t('profiling.target.gone') })}
          </p>
        )}
        {inp?.script && <p>{t('profiling.inp.cause', { script: inp.script })}</p>}
        {interactions.length === 0 ? (
          <p>{t('profiling.interactions.none')}</p>
        ) : (
          <Table
            label={title}
            head={[
              t('profiling.kind'),
              t('profiling.target'),
              t('profiling.length'),
              t('profiling.input-delay'),
              t('profiling.processing'),
              t('profiling.presentation-delay'),
            ]}
            rows={interactions.map((one) => [
              one.kind,
              one.target || '–',
              ...[one.ms, one.inputDelay, one.processing, one.presentationDelay].map(ms),
            ])}
          />
        )}
      </section>
      <section>
        <h2>{longFrames}</h2>
        {frames.length === 0 ? (
          <p>{t('profiling.frames.none')}</p>
        ) : (
          <Table
            label={longFrames}
            head={[t('profiling.start'), t('profiling.length'), t('profiling.blocking'), t('profiling.scripts')]}
            rows={frames.map((frame) => [
              ms(frame.at),
              ms(frame.ms),
              ms(frame.blockingMs),
              frame.scripts
                .map(({ name, file, ms: length }) => [name, file, ms(length)].filter(Boolean).join(' '))
                .join(', '),
            ])}
          />
        )}
      </section>
    </>
  )
}
