import type { Database } from '../../platform/database/database.ts'
import { createAudit } from './audit.ts'
import { createCaseFacts } from './case-facts.ts'
import { createDesk } from './desk.ts'
import { createModerators } from './moderators.ts'
import { createPreservations } from './preservations.ts'

export function createConsoleRecords(db: Database) {
  return {
    moderators: createModerators(db),
    audit: createAudit(db),
    desk: createDesk(db),
    preservations: createPreservations(db),
    caseFacts: createCaseFacts(db),
  }
}
