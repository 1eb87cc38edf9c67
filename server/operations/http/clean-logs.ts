import { setImmediate } from 'node:timers/promises'
import { LOG_MESSAGE_MAX, type LogEntry } from '#protocol/log-entry.ts'
import { redact } from '#protocol/redact.ts'

/** Characters that are cleaned in one turn of the event loop; a full batch takes a tenth of a second in all. */
const TURN_CHARACTERS = 4 * LOG_MESSAGE_MAX

/**
 * Redacts and shortens the messages of a batch. Pages do this too, but old pages may redact less, and no login is
 * needed.
 */
export async function cleanLogs(entries: readonly LogEntry[]): Promise<LogEntry[]> {
  const cleaned: LogEntry[] = []
  let characters = 0
  for (const entry of entries) {
    characters += entry.logMessage.length
    if (characters > TURN_CHARACTERS) {
      await setImmediate()
      characters = entry.logMessage.length
    }
    cleaned.push({ ...entry, logMessage: redact(entry.logMessage).slice(0, LOG_MESSAGE_MAX) })
  }
  return cleaned
}
