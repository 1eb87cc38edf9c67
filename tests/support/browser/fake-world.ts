import type { BlockStatus } from '#protocol/block-status.ts'
import type { DeletionState, PendingDeletion } from '#protocol/deletion.ts'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import type { OwnLogin } from '#protocol/logins.ts'
import type { BlockCase, CaseNotice } from '#protocol/moderation.ts'
import type { OwnProfile } from '#protocol/profile-endpoints.ts'
import type { EndpointInput, EndpointName } from '#protocol/rest.ts'
import type { TransparencyReport } from '#protocol/transparency.ts'
import type { Identity, PictureEditor } from '../../../src/account/ports.ts'
import type { MediaDevice } from '../../../src/devices/ports.ts'
import type { MediaTrouble } from '../../../src/devices/rules/media-trouble.ts'
import type { Api } from '../../../src/platform/ports.ts'
import { startOf } from '../fakes/start-of.ts'

export type World = {
  status: BlockStatus
  blockCase: BlockCase | null
  notice: CaseNotice | null
  onlineUsers: number
  /** The outcome of sending a chat message. */
  deliver: () => Promise<void>
  cameraRefused: boolean
  /** Whether the browser says that it will not ask for the camera. */
  cameraAllowed: boolean
  trouble: MediaTrouble
  devices: MediaDevice[]
  /** The response to an appeal waits for this promise. */
  appeal: Promise<void>
  /** The pending deletion. */
  deletion: PendingDeletion | null
  /** The state of the deletion with the confirmation code; null if the code is unknown. */
  deletionState: DeletionState | null
  /** The user's login sessions. */
  logins: OwnLogin[]
  /** True if export and deletion are rejected until the user has signed in again. */
  signInIsOld: boolean
  /** The outcome of the provider's popup. */
  identity: () => Promise<Identity>
  /** True if the provider returns another user's identity. */
  otherAccount: boolean
  /** True if the browser asks for little data. */
  wantsLessData: boolean
  /** The peer's profile picture in base64. */
  peerPicture: string | null
  /** The stored profile. */
  profile: OwnProfile
  /** What makes pictures of files and of the camera. */
  pictures: PictureEditor<MediaStream, Blob>
  /** The changes of the profile that were sent. */
  changed: EndpointInput<'changeProfile'>[]
  /** The browser's list of languages. */
  tags: string[]
  /** Interests of many. */
  suggestions: string[]
  /** The languages and interests that were sent. */
  preferences: EndpointInput<'changePreferences'>[]
  /** The field that the server names when it refuses languages and interests; null if it accepts them. */
  refusedField: string | null
  /** The code with which a change of the profile is refused; null if it is accepted. */
  profileRefusal: ErrorCode | null
  /** What the browser answers when it is asked for the permission to show notifications; null if it has none. */
  notifications: 'granted' | 'denied' | null
  /** True while the page is not looked at. */
  isHidden: boolean
  /** Users in a call. */
  talkingUsers: number
  /** Cores of the device. */
  cores: number
  /** The published transparency report. */
  report: TransparencyReport | null
  /** Endpoints whose requests fail. */
  failing: EndpointName[]
}

/** Requested on 21 November 2026, a Saturday. */
export const pendingDeletion: PendingDeletion = {
  state: 'waiting',
  requestedAt: Date.UTC(2026, 10, 21, 12),
  startAt: Date.UTC(2026, 10, 24, 12),
  dueAt: Date.UTC(2026, 11, 1, 12),
}

export function fakeApiOf(world: World, made: EndpointName[]): Api {
  const responses: Partial<Record<EndpointName, () => unknown>> = {
    readStart: () =>
      startOf({
        block: { status: world.status, case: world.blockCase, notice: world.notice },
        deletion: { deletion: world.deletion, delayDays: 3 },
        onlineUsers: world.onlineUsers,
        talkingUsers: world.talkingUsers,
      }),
    validateAccessToken: () => ({ message: 'Valid' }),
    readAccessToken: () => ({ cookieValue: 'present' }),
    readRefreshToken: () => ({ cookieValue: 'present' }),
    readBlockStatus: () => ({ status: world.status, case: world.blockCase, notice: world.notice }),
    readTransparency: () => ({ report: world.report }),
    readOnlineUsers: () => ({ onlineUsers: world.onlineUsers, talkingUsers: world.talkingUsers }),
    readIp: () => ({ ip: 'NA', hostname: 'NA', city: 'NA', country: 'NA', loc: 'NA' }),
    readDeletion: () => ({ deletion: world.deletion, delayDays: 3 }),
    deleteData: () => {
      if (world.signInIsOld) throw new AppError('sign-in-again', 'No', { status: 403 })
      return pendingDeletion
    },
    readMatchPicture: () => ({ picture: world.peerPicture }),
    readProfile: () => world.profile,
    readSuggestions: () => ({ interests: world.suggestions }),
    readLogins: () => ({ source: 'Google', logins: world.logins }),
    endOtherLogins: () => {
      world.logins = world.logins.filter(({ isCurrent }) => isCurrent)
      return { message: 'Valid' }
    },
    signInAgain: () => {
      if (world.otherAccount) throw new AppError('other-account', 'No', { status: 403 })
      world.signInIsOld = false
      return { message: 'Valid' }
    },
    readDeletionStatus: () => {
      if (world.deletionState === null) throw new AppError('not-found', 'No', { status: 404 })
      return { state: world.deletionState }
    },
    appeal: () => world.appeal.then(() => ({ status: 'InReview', case: world.blockCase })),
  }
  return {
    async request(name, input) {
      made.push(name)
      if (world.failing.includes(name)) throw new AppError('http-error', 'No', { status: 500 })
      if (name === 'endLogin')
        world.logins = world.logins.filter(({ id }) => id !== (input as EndpointInput<'endLogin'>).id)
      if (name === 'changeProfile') {
        if (world.profileRefusal) throw new AppError(world.profileRefusal, 'No', { status: 400 })
        world.changed.push(input as EndpointInput<'changeProfile'>)
      }
      if (name === 'changePreferences') {
        if (world.refusedField !== null)
          throw new AppError('bad-request', 'No', { status: 400, field: world.refusedField })
        world.preferences.push(input as EndpointInput<'changePreferences'>)
        return input as never
      }
      const respond = responses[name] ?? (() => ({ message: 'Valid' }))
      return (await respond()) as never
    },
  }
}
