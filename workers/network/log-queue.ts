import * as v from 'valibot'
import { ANONYMOUS_LIMIT, LOG_BATCH_ENTRIES } from '#protocol/constants.ts'
import { type LogEntry, logEntrySchema } from '#protocol/log-entry.ts'
import { listOf, tryParse } from '#protocol/parse.ts'

/** Largest number of stored entries; later ones are dropped. */
const QUEUE_MAX = 5 * LOG_BATCH_ENTRIES

/** A stored entry; `uniqueId` is not sent. */
const queuedSchema = v.object({ ...logEntrySchema.entries, uniqueId: v.string() })
export type QueuedEntry = v.InferOutput<typeof queuedSchema>

/**
 * Entries to send, oldest first. `batch` marks the first `length` entries as a batch, which is sent unchanged under
 * `key` until the server has accepted it. So the server stores the batch once even if several tabs send it.
 */
const queueSchema = v.object({
  entries: listOf(queuedSchema, QUEUE_MAX),
  batch: v.nullable(v.object({ key: v.string(), length: v.pipe(v.number(), v.integer(), v.minValue(1)) })),
})
export type LogQueue = v.InferOutput<typeof queueSchema>

export const emptyQueue: LogQueue = { entries: [], batch: null }

/** Parses the stored queue; returns an empty one if it is invalid or from another version. */
export function readQueue(kept: unknown): LogQueue {
  const queue = tryParse(queueSchema, kept)
  return queue.success && (queue.output.batch?.length ?? 0) <= queue.output.entries.length ? queue.output : emptyQueue
}

export function append({ entries, batch }: LogQueue, more: readonly QueuedEntry[]): LogQueue {
  return { entries: [...entries, ...more].slice(0, QUEUE_MAX), batch }
}

/** Marks the first entries as a batch, unless a batch is marked already. */
export function startBatch(queue: LogQueue, key: string): LogQueue {
  const { entries, batch } = queue
  if (batch || entries.length === 0) return queue
  return { entries, batch: { key, length: batchLength(entries) } }
}

export function batchOf({ entries, batch }: LogQueue): { key: string; entries: LogEntry[] } | null {
  if (!batch) return null
  const sent = entries.slice(0, batch.length).map(({ uniqueId: _, ...entry }) => entry)
  return { key: batch.key, entries: sent }
}

/** Removes the batch with this key, unless another tab has removed it already. */
export function endBatch(queue: LogQueue, key: string): LogQueue {
  const { entries, batch } = queue
  return batch?.key === key ? { entries: entries.slice(batch.length), batch: null } : queue
}

/** Returns how many of the oldest entries fit into a request without a login; at least one. */
function batchLength(entries: readonly LogEntry[]): number {
  const encoder = new TextEncoder()
  let bytes = 2
  let length = 0
  for (const entry of entries.slice(0, LOG_BATCH_ENTRIES)) {
    bytes += encoder.encode(JSON.stringify(entry)).length + 1
    if (bytes > ANONYMOUS_LIMIT) break
    length += 1
  }
  return Math.max(length, 1)
}
