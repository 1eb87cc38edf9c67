import * as v from 'valibot'
import { platformSchema } from './fields.ts'

/** Characters of one message in a browser's log. */
export const LOG_MESSAGE_MAX = 8_192

export const logEntrySchema = v.object({
  userSessionId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)),
  logMessage: v.pipe(v.string(), v.maxLength(LOG_MESSAGE_MAX)),
  logLevel: v.picklist(['Info', 'Error', 'Exception']),
  platform: platformSchema,
  dateTime: v.pipe(v.string(), v.isoTimestamp()),
})
export type LogEntry = v.InferOutput<typeof logEntrySchema>
