import { Link } from 'react-router-dom'
import { REVIEW_DAYS } from '#protocol/constants.ts'
import { Button } from '../../parts/button.tsx'
import { useStores } from '../../stores/stores.ts'
import { CaseFacts } from './case-facts.tsx'
import { Panel } from './panel.tsx'

/** What moderation has decided, which rule it stands on, what comes next and until when. Nothing while all is well. */
export function BlockPanel() {
  const { lobby } = useStores()
  switch (lobby.status.value) {
    case 'Warning':
      return (
        <Panel weight="warn" title="A warning about your account">
          <p>
            Multiple reports were made about you for not following the <Guidelines />. Continued violations may lead to
            permanent suspension.
          </p>
          <CaseFacts />
        </Panel>
      )
    case 'Appeal':
      return (
        <Panel weight="warn" title="Your account is temporarily suspended">
          <p>
            Several people reported you for not following the <Guidelines />. You cannot start a video chat until this
            is settled.
          </p>
          <p>If you think this is a mistake, submit an appeal. It is reviewed within {REVIEW_DAYS} days.</p>
          <CaseFacts />
          <AppealButton />
        </Panel>
      )
    case 'InReview':
      return lobby.appealed.value ? (
        <Panel weight="good" title="Your appeal was submitted">
          <p>Your case will be reviewed within {REVIEW_DAYS} days and you will be notified.</p>
          <CaseFacts />
        </Panel>
      ) : (
        <Panel weight="warn" title="Your account is under review">
          <p>
            It was reported for not following the <Guidelines />. The review completes within {REVIEW_DAYS} days; until
            then you cannot start a video chat.
          </p>
          <CaseFacts />
        </Panel>
      )
    case 'Blocked':
      return (
        <Panel weight="bad" title="Your account is permanently suspended">
          <p>
            This happened because of repeated violations of the <Guidelines />. You cannot start a video chat.
          </p>
          <CaseFacts />
        </Panel>
      )
    default:
      return null
  }
}

function AppealButton() {
  const { lobby } = useStores()
  const busy = lobby.appealing.value
  return (
    <Button look="quiet" disabled={busy} onClick={() => void lobby.appeal()}>
      {busy ? 'Submitting...' : 'Submit Appeal'}
    </Button>
  )
}

function Guidelines() {
  return <Link to="/terms-of-service">community guidelines</Link>
}
