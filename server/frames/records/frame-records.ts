import type { Database } from '../../platform/database/database.ts'
import { createFrames } from './frames.ts'
import { createSignals } from './signals.ts'

export function createFrameRecords(db: Database) {
  return { frames: createFrames(db), signals: createSignals(db) }
}
