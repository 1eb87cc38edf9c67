import { mayChat } from '#protocol/block-status.ts'
import { NULL_EMAIL_ADDRESS, NULL_USER_SESSION_ID, VALID } from '#protocol/constants.ts'
import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { EndpointOutput } from '#protocol/rest.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { requireOwnEmail, requireOwnLoginSession } from '../../accounts/http/login.ts'
import type { SignedIn } from '../../accounts/rules/ports.ts'
import type { Evidence } from '../../moderation/rules/evidence.ts'
import { FRAME_RATE } from '../../platform/http/rate-limits.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { AcceptFrame, FrameIntake } from '../frame-intake.ts'
import type { FrameLog } from '../rules/frame-log.ts'
import type { FrameWatch } from '../rules/frame-watch.ts'
import type { Frames } from '../rules/ports.ts'

type FrameHttp = Pick<FrameIntake, 'takeFrame'> & {
  frames: Frames
  clock: Pick<Clock, 'now'>
  acceptFrame: AcceptFrame
  frameLog: Pick<FrameLog, 'record'>
  frameWatch: Pick<FrameWatch, 'judge'>
  keepUpload: Evidence['addUpload']
  onlineCounts: () => OnlineCounts
}

/**
 * The endpoints for camera frames. A dashboard frame is judged in memory and dropped; only its metadata are recorded.
 * Older clients also send dashboard frames of users who may not chat; the server drops these frames unread. A frame
 * that belongs to a report is kept as evidence, even if the report has suspended its sender.
 */
export function frameRoutes(endpoint: UserEndpoint, deps: FrameHttp): void {
  const { frames, clock, takeFrame, acceptFrame, frameWatch, frameLog, keepUpload, onlineCounts } = deps

  function accept(
    name: 'addVideoFrame' | 'addReportedFrame',
    take: (upload: Uint8Array, caller: SignedIn, isChanged: boolean) => Promise<EndpointOutput<typeof name>>,
  ): void {
    endpoint(
      name,
      async ({ input, caller }) => {
        const { EmailAddress, UserSessionId } = input
        if (EmailAddress !== NULL_EMAIL_ADDRESS) requireOwnEmail(caller, 'EmailAddress', EmailAddress)
        if (UserSessionId !== NULL_USER_SESSION_ID) requireOwnLoginSession(caller, 'UserSessionId', UserSessionId)
        return take(input.file ?? new Uint8Array(), caller, input.PictureChanged === 'true')
      },
      FRAME_RATE,
    )
  }

  accept('addVideoFrame', async (upload, { account: { id: accountId, status }, sessionId }, isChanged) => {
    if (!mayChat(status)) return { message: VALID }
    const { width, height, look, pixels } = await acceptFrame(upload, accountId)
    const size = { bytes: upload.byteLength, width, height }
    frameLog.record({ accountId, sessionId, kind: 'dashboard', ...size, at: clock.now() })
    frameWatch.judge({ accountId, userSession: sessionId, upload, look, pixels, isChanged })
    return { message: VALID, online: onlineCounts() }
  })

  accept('addReportedFrame', async (upload, { account: { id: accountId }, sessionId }, isChanged) => {
    // A changed picture is noise, which is no evidence.
    if (isChanged) return { message: VALID }
    const { jpeg, width, height, print } = await takeFrame(upload, { accountId })
    const size = { bytes: jpeg.byteLength, width, height }
    await frames.record([{ accountId, sessionId, kind: 'reported', ...size, at: clock.now() }])
    await keepUpload({ uploader: accountId, userSession: sessionId, jpeg, print })
    return { message: VALID }
  })
}
