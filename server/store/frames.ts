import type { Frames } from '../domain/frame-ports.ts'
import type { Database } from './database.ts'

export function createFrames(db: Database): Frames {
  return {
    async record(frame) {
      await db.insertInto('frames').values(frame).execute()
    },
  }
}
