import type { DeletionWait } from '#protocol/start.ts'
import type { AliasOf } from '../../accounts/rules/alias.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { DeletionService } from '../rules/deletion.ts'
import type { Deletions, PersonalData } from '../rules/ports.ts'

/** Dependencies of the endpoints for a user's own data. */
export type DeletionHttp = {
  settings: {
    /** The secret with which Facebook signs its requests; null where Facebook is not configured. */
    facebookSecret: string | null
    /** The page's own origin, for links; known once the server listens. */
    publicOrigin: () => string
  }
  store: { deletions: Deletions; personalData: PersonalData }
  clock: Clock
  aliasOf: AliasOf
  deletionService: DeletionService
  deletionWait: (accountId: string) => Promise<DeletionWait>
}
