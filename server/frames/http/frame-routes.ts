import { VALID } from '#protocol/constants.ts'
import { requireOwnEmail, requireOwnLoginSession } from '../../accounts/http/owner.ts'
import type { Answer } from '../../platform/http/call-route.ts'
import type { HttpDeps } from '../../platform/http/deps.ts'
import { FRAME_RATE } from '../../platform/http/rates.ts'
import type { FrameRecord } from '../rules/ports.ts'

/**
 * A frame of the dashboard is looked at in memory and dropped, and only that it came is written down. One that comes with a
 * report is kept as evidence.
 */
export function frameRoutes(answer: Answer, deps: HttpDeps): void {
  const { store, clock, takeFrame, viewFrame, frameWatch, frameLog, keepUpload } = deps

  function accept(
    name: 'addVideoFrame' | 'addReportedFrame',
    take: (upload: Uint8Array, who: Pick<FrameRecord, 'accountId' | 'sessionId'>) => Promise<void>,
  ): void {
    answer(
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
    await store.frames.record([{ accountId, sessionId, kind: 'reported', ...size, at: clock.now() }])
    await keepUpload({ uploader: accountId, userSession: sessionId, jpeg })
  })
}
