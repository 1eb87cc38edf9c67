import { VALID } from '#protocol/rest.ts'
import type { FrameRecord } from '../domain/ports.ts'
import type { Answer } from './call-route.ts'
import type { HttpDeps } from './deps.ts'
import { ownEmail, ownSession } from './owner.ts'
import { FRAME_RATE } from './rates.ts'

/** A frame is looked at in memory and dropped: only that it came is written down. */
export function frameRoutes(answer: Answer, { store, clock, takeFrame }: HttpDeps): void {
  function accept(name: 'addVideoFrame' | 'addReportedFrame', kind: FrameRecord['kind']): void {
    answer(
      name,
      async ({ input, caller }) => {
        ownEmail(caller, 'EmailAddress', input.EmailAddress)
        ownSession(caller, 'UserSessionId', input.UserSessionId)
        const { jpeg, width, height } = await takeFrame(input.file ?? new Uint8Array())
        const { account, sessionId } = caller
        const size = { bytes: jpeg.byteLength, width, height }
        await store.frames.record({ accountId: account.id, sessionId, kind, ...size, at: clock.now() })
        return { message: VALID }
      },
      FRAME_RATE,
    )
  }

  accept('addVideoFrame', 'dashboard')
  accept('addReportedFrame', 'reported')
}
