import * as v from 'valibot'
import { type LogLevel, platformSchema } from './fields.ts'

/** Most characters of one message in a browser's log. */
export const LOG_MESSAGE_MAX = 8_192

export const logEntrySchema = v.object({
  userSessionId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)),
  logMessage: v.pipe(v.string(), v.maxLength(LOG_MESSAGE_MAX)),
  logLevel: v.picklist(['Info', 'Error', 'Exception']),
  platform: platformSchema,
  dateTime: v.pipe(v.string(), v.isoTimestamp()),
})
export type LogEntry = v.InferOutput<typeof logEntrySchema>

/** Begins the message of an entry of level Trace: on the wire there is no such level, and the entry is sent as Info. */
export const TRACE_MARK = '[trace] '

export function levelOf({ logLevel, logMessage }: Pick<LogEntry, 'logLevel' | 'logMessage'>): LogLevel {
  return logLevel === 'Info' && logMessage.startsWith(TRACE_MARK) ? 'Trace' : logLevel
}
