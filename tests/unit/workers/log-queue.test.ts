import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  append,
  batchOf,
  emptyQueue,
  endBatch,
  type LogQueue,
  type QueuedEntry,
  readQueue,
  startBatch,
} from '#workers/network/log-queue.ts'

function entry(uniqueId: string): QueuedEntry {
  const dateTime = '2026-01-01T00:00:00.000Z'
  return { uniqueId, userSessionId: 's', logMessage: uniqueId, logLevel: 'Info', platform: 'Web', dateTime }
}

type Step = { type: 'append'; count: number } | { type: 'start' } | { type: 'end'; tab: number }

const steps = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('append' as const), count: fc.integer({ min: 0, max: 700 }) }),
    fc.constant({ type: 'start' as const }),
    fc.record({ type: fc.constant('end' as const), tab: fc.nat(2) }),
  ),
)

test('with several tabs each entry is confirmed once, in order, and a key always names the same entries', () => {
  fc.assert(
    fc.property(steps, (all: Step[]) => {
      let queue: LogQueue = emptyQueue
      let made = 0
      const added: string[] = []
      const confirmed: string[] = []
      const named = new Map<string, string>()
      for (const step of all) {
        if (step.type === 'append') {
          const before = queue.entries.length
          queue = append(
            queue,
            Array.from({ length: step.count }, () => entry(String(++made))),
          )
          added.push(...queue.entries.slice(before).map(({ uniqueId }) => uniqueId))
        } else if (step.type === 'start') queue = startBatch(queue, `key-${++made}`)
        const batch = batchOf(queue)
        if (batch) {
          const content = batch.entries.map(({ logMessage }) => logMessage).join()
          expect(named.get(batch.key) ?? content).toBe(content)
          named.set(batch.key, content)
        }
        if (step.type === 'end' && batch) {
          confirmed.push(...batch.entries.map(({ logMessage }) => logMessage))
          // A slower tab confirms the same batch again.
          for (let times = 0; times <= step.tab; times += 1) queue = endBatch(queue, batch.key)
        }
        expect(readQueue(structuredClone(queue))).toEqual(queue)
      }
      expect([...confirmed, ...queue.entries.map(({ uniqueId }) => uniqueId)]).toEqual(added)
    }),
  )
})

test.for([undefined, null, 'x', { entries: [{}], batch: null }, { entries: [], batch: { key: 'k', length: 1 } }])(
  'an invalid queue is read as an empty one: %o',
  (kept) => {
    expect(readQueue(kept)).toEqual(emptyQueue)
  },
)
