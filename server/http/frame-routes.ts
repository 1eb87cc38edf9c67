import { VALID } from '#protocol/constants.ts'
import type { FrameRecord } from '../domain/frame-ports.ts'
import type { Answer } from './call-route.ts'
import type { HttpDeps } from './deps.ts'
import { ownEmail, ownSession } from './owner.ts'
import { FRAME_RATE } from './rates.ts'

/**
 * A frame of the dashboard is looked at in memory and dropped, and only that it came is written down. One that comes with a
 * report is kept as evidence.
 */
export function frameRoutes(answer: Answer, deps: HttpDeps): void {
  const { store, clock, takeFrame, frameWatch, keepUpload } = deps

  function accept(
    name: 'addVideoFrame' | 'addReportedFrame',
    kind: FrameRecord['kind'],
    goOn: (accountId: string, userSession: string, jpeg: Uint8Array) => Promise<void> | void,
  ): void {
    answer(
      name,
      async ({ input, caller }) => {
        ownEmail(caller, 'EmailAddress', input.EmailAddress)
        ownSession(caller, 'UserSessionId', input.UserSessionId)
        const { jpeg, width, height } = await takeFrame(input.file ?? new Uint8Array())
        const { account, sessionId } = caller
        const size = { bytes: jpeg.byteLength, width, height }
        await store.frames.record({ accountId: account.id, sessionId, kind, ...size, at: clock.now() })
        await goOn(account.id, sessionId, jpeg)
        return { message: VALID }
      },
      FRAME_RATE,
    )
  }

  accept('addVideoFrame', 'dashboard', (accountId, userSession, jpeg) =>
    frameWatch.look({ accountId, userSession, jpeg }),
  )
  accept('addReportedFrame', 'reported', (uploader, userSession, jpeg) => keepUpload({ uploader, userSession, jpeg }))
}
