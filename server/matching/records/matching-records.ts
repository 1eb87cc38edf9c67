import type { Database } from '../../platform/database/database.ts'
import { createMatchRecords } from './match-records.ts'
import { createPartners } from './partners.ts'
import { createRelations } from './relations.ts'

export function createMatchingRecords(db: Database) {
  return { relations: createRelations(db), matchRecords: createMatchRecords(db), partners: createPartners(db) }
}
