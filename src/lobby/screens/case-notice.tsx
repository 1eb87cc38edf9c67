import { useEffect } from 'react'
import type { ReviewOutcome } from '#protocol/moderation.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Panel } from '../../ui/members/panel.tsx'
import { useLobby } from '../use-lobby.ts'

const weights: Record<ReviewOutcome, 'good' | 'warn' | 'bad'> = {
  restored: 'good',
  warned: 'warn',
  suspended: 'warn',
  blocked: 'bad',
  ended: 'good',
  late: 'warn',
}

/** Says how the last restriction ended, during one visit of the dashboard. */
export function CaseNotice() {
  const { lobby } = useLobby()
  const t = useTexts()
  const { noticeSeen } = lobby
  const notice = lobby.notice.value

  useEffect(() => {
    if (notice) noticeSeen()
  }, [notice, noticeSeen])

  if (!notice) return null
  return (
    <Panel weight={weights[notice.outcome]} title={t(`cases.outcome.${notice.outcome}`)}>
      <p>{t(`cases.outcome.${notice.outcome}.text`)}</p>
    </Panel>
  )
}
