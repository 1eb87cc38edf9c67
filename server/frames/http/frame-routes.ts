import { VALID } from '#protocol/constants.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { requireOwnEmail, requireOwnLoginSession } from '../../accounts/http/owner.ts'
import type { Evidence } from '../../moderation/rules/evidence.ts'
import { FRAME_RATE } from '../../platform/http/rate-limits.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { FrameLog } from '../rules/frame-log.ts'
import type { FrameWatch } from '../rules/frame-watch.ts'
import type { CleanFrame, FrameRecord, Frames, FrameView } from '../rules/ports.ts'

type FrameHttp = {
  frames: Frames
  clock: Pick<Clock, 'now'>
  /**
   * Returns the frame without anything but what can be seen. Rejects with wrong-type or bad-request unless it is a JPEG of a sane size,
   * with too-many-requests or unavailable while too many are being read.
   */
  takeFrame: (bytes: Uint8Array, accountId: string) => Promise<CleanFrame>
  viewFrame: (bytes: Uint8Array, accountId: string) => Promise<FrameView>
  frameLog: Pick<FrameLog, 'note'>
  frameWatch: Pick<FrameWatch, 'look'>
  keepUpload: Evidence['addUpload']
}

/**
 * A frame of the dashboard is looked at in memory and dropped, and only that it came is written down. One that comes with a
 * report is kept as evidence.
 */
export function frameRoutes(endpoint: UserEndpoint, deps: FrameHttp): void {
  const { frames, clock, takeFrame, viewFrame, frameWatch, frameLog, keepUpload } = deps

  function accept(
    name: 'addVideoFrame' | 'addReportedFrame',
    take: (upload: Uint8Array, who: Pick<FrameRecord, 'accountId' | 'sessionId'>) => Promise<void>,
  ): void {
    endpoint(
      name,
      async ({ input, caller }) => {
        requireOwnEmail(caller, 'EmailAddress', input.EmailAddress)
        requireOwnLoginSession(caller, 'UserSessionId', input.UserSessionId)
        await take(input.file ?? new Uint8Array(), { accountId: caller.account.id, sessionId: caller.sessionId })
        return { message: VALID }
      },
      FRAME_RATE,
    )
  }

  accept('addVideoFrame', async (upload, { accountId, sessionId }) => {
    const view = await viewFrame(upload, accountId)
    const { width, height } = view
    frameLog.note({ accountId, sessionId, kind: 'dashboard', bytes: upload.byteLength, width, height, at: clock.now() })
    frameWatch.look({ accountId, userSession: sessionId, upload, view })
  })

  accept('addReportedFrame', async (upload, { accountId, sessionId }) => {
    const { jpeg, width, height } = await takeFrame(upload, accountId)
    const size = { bytes: jpeg.byteLength, width, height }
    await frames.record([{ accountId, sessionId, kind: 'reported', ...size, at: clock.now() }])
    await keepUpload({ uploader: accountId, userSession: sessionId, jpeg })
  })
}
