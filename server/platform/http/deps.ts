import type { FastifyBaseLogger } from 'fastify'
import type { LogLevel } from '#protocol/fields.ts'
import type { Jwt } from '../../accounts/http/jwt.ts'
import type { VerifyIdentity } from '../../accounts/http/providers.ts'
import type { AliasOf } from '../../accounts/rules/alias.ts'
import type { Login } from '../../accounts/rules/login.ts'
import type { RefreshTokenIssuer } from '../../accounts/rules/tokens.ts'
import type { FrameLog } from '../../frames/rules/frame-log.ts'
import type { FrameWatch } from '../../frames/rules/frame-watch.ts'
import type { CleanFrame, FrameView } from '../../frames/rules/ports.ts'
import type { Presence } from '../../hub/rules/presence.ts'
import type { Evidence } from '../../moderation/rules/evidence.ts'
import type { Moderation } from '../../moderation/rules/moderation.ts'
import type { Metrics } from '../../operations/rules/metrics.ts'
import type { DeletionService } from '../../privacy/rules/deletion.ts'
import type { Store } from '../database/open-store.ts'
import type { Clock } from '../rules/clock.ts'
import type { Counts } from '../rules/counts.ts'
import type { Repeats } from './repeats.ts'

/** What the operator has set, as far as routes need it. */
type HttpSettings = {
  /** Where https is missing only because the page comes from this machine. */
  secureCookies: boolean
  ipLookup: { url: string; token: string | null } | null
  /** The addresses of one TURN server, and the secret that it shares with this one. */
  turn: { urls: string[]; secret: string } | null
  stunUrl: string
  /** What Facebook signs its requests with, null where it is not configured. */
  facebookSecret: string | null
  /** The page's own origin, for links in answers; asked once the server listens. */
  publicOrigin: () => string
  /** Levels of the browsers' logs that are stored; none where the logs are off. */
  clientLogs: readonly LogLevel[]
}

/** What the routes of the API are built from. */
export type HttpDeps = {
  settings: HttpSettings
  store: Store
  clock: Clock
  /** Of calls, for their limits. */
  counts: Counts
  newId: () => string
  jwt: Jwt
  refreshTokens: RefreshTokenIssuer
  repeats: Repeats
  /** What only this server can have made of a text. */
  signature: (text: string) => string
  verifyIdentity: VerifyIdentity
  aliasOf: AliasOf
  presence: Presence
  /** True for an Origin that may change something here. */
  originAllowed: (origin: string | undefined) => boolean
  moderation: Moderation
  endLogin: (login: Login) => Promise<void>
  deletionService: DeletionService
  /**
   * What goes on of a frame that was sent in. Rejects with wrong-type or bad-request unless it is a JPEG of a sane size, with
   * too-many-requests or unavailable while too many are being read.
   */
  takeFrame: (bytes: Uint8Array, accountId: string) => Promise<CleanFrame>
  viewFrame: (bytes: Uint8Array, accountId: string) => Promise<FrameView>
  frameLog: Pick<FrameLog, 'note'>
  frameWatch: Pick<FrameWatch, 'look' | 'heardOnDashboard'>
  keepUpload: Evidence['takeUpload']
  /** A small picture without metadata. Rejects as `takeFrame` does. */
  reencodePicture: (bytes: Uint8Array, accountId: string) => Promise<Uint8Array>
  metrics: Pick<Metrics, 'peerConnection'>
  log: FastifyBaseLogger
}
