import { VALID } from '#protocol/rest.ts'
import type { FrameRecord } from '../domain/ports.ts'
import type { Answer } from './call-route.ts'
import type { HttpDeps } from './deps.ts'
import { ownEmail, ownSession } from './owner.ts'
import { FRAME_RATE } from './rates.ts'

/** A frame is looked at in memory and dropped: only that it came is written down. */
export function frameRoutes(answer: Answer, { store, clock, checkFrame }: HttpDeps): void {
  function accept(name: 'addVideoFrame' | 'addReportedFrame', kind: FrameRecord['kind']): void {
    answer(
      name,
      async ({ input, caller }) => {
        ownEmail(caller, 'EmailAddress', input.EmailAddress)
        ownSession(caller, 'UserSessionId', input.UserSessionId)
        const frame = input.file ?? new Uint8Array()
        await checkFrame(frame)
        const { account, sessionId } = caller
        await store.frames.record({ accountId: account.id, sessionId, kind, bytes: frame.byteLength, at: clock.now() })
        return { message: VALID }
      },
      FRAME_RATE,
    )
  }

  accept('addVideoFrame', 'dashboard')
  accept('addReportedFrame', 'reported')
}
