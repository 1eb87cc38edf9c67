import { useEffect } from 'react'
import type { ReviewOutcome } from '#protocol/moderation.ts'
import { useStores } from '../../stores/stores.ts'
import { outcomeTexts } from './case-words.ts'
import { Panel } from './panel.tsx'

const weights: Record<ReviewOutcome, 'good' | 'warn' | 'bad'> = {
  restored: 'good',
  warned: 'warn',
  suspended: 'warn',
  blocked: 'bad',
  ended: 'good',
  late: 'warn',
}

/** How a time of being kept out ended; shown on one visit of the dashboard. */
export function CaseNotice() {
  const { lobby } = useStores()
  const { noticeSeen } = lobby
  const notice = lobby.notice.value

  useEffect(() => {
    if (notice) noticeSeen()
  }, [notice, noticeSeen])

  if (!notice) return null
  const { title, text } = outcomeTexts[notice.outcome]
  return (
    <Panel weight={weights[notice.outcome]} title={title}>
      <p>{text}</p>
    </Panel>
  )
}
