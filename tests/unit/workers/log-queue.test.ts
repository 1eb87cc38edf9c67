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
import { redact } from '#workers/network/redact.ts'

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

test('whatever several tabs do, each entry is confirmed once, in order, and a key always names the same entries', () => {
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
  'what is no queue is an empty one: %o',
  (kept) => {
    expect(readQueue(kept)).toEqual(emptyQueue)
  },
)

const words = fc.stringMatching(/^[a-z ]{0,20}$/)
const base64url = (min: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9_-]{${min},80}$`))

test('no token, address, session description or encoded data gets through, wherever it stands', () => {
  const token = fc.tuple(base64url(20), base64url(20), base64url(20)).map((parts) => `eyJ${parts.join('.')}`)
  const address = fc.emailAddress()
  const sdp = fc.constantFrom(
    'a=ice-pwd:asd88fgpdd777uzjYhagZg',
    'c=IN IP4 192.168.1.20',
    'a=fingerprint:sha-256 7B:8B',
  )
  const candidate = fc.constant('candidate:842163049 1 udp 1677729535 192.168.1.20 46154 typ srflx')
  const frame = base64url(48)
  fc.assert(
    fc.property(words, fc.oneof(token, address, candidate, frame), words, (before, secret, after) => {
      expect(redact(`${before} ${secret} ${after}`)).not.toContain(secret)
    }),
  )
  fc.assert(
    fc.property(words, sdp, words, (before, secret, after) => {
      expect(redact(`${before}\r\n${secret}\r\n${after}`)).not.toContain(secret)
    }),
  )
})

test('what is no secret is left alone', () => {
  for (const text of [
    'The peer connection is connected',
    'HandleOffer was refused: not-in-match (the session is not yours or over)',
    'Access token not found or could not be renewed. (1003: network-error)',
    'match 8f14e45f-ceea-467f-9c3b-6b4d2a7e1f00',
  ])
    expect(redact(text)).toBe(text)
})
