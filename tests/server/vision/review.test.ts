import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Verdict } from '#protocol/moderation.ts'
import { readConfig } from '../../../server/config/config.ts'
import { watchFrames } from '../../../server/frames/compose-frames.ts'
import { createFrameIntake } from '../../../server/frames/frame-intake.ts'
import { createModeration } from '../../../server/moderation/rules/moderation.ts'
import { createMemory } from '../../../server/platform/compose-memory.ts'
import { openStore } from '../../../server/platform/database/open-store.ts'
import { createDecoderPool } from '../../../server/platform/pictures/decoder-pool.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { accountOf } from '../../support/stores/put-status.ts'

async function reviewForTest() {
  const folder = await mkdtemp(join(tmpdir(), 'review-test-'))
  const store = await openStore(folder, randomUUID)
  const clock = fakeClock(1_000_000_000)
  const config = readConfig({})
  const policy = createModeration({
    ...store,
    clock,
    policy: config.moderation,
    digest: (text) => text,
    shutOut: () => undefined,
    mails: false,
  })
  const evidence: [{ id: string; secret: string }] = [{ id: 'k', secret: 'k'.repeat(32) }]
  const secrets = { jwt: '', alias: '', evidence }
  const log = pino({ level: 'silent' })
  const deps = { config, secrets, store, clock, newId: randomUUID, flagged: policy.flagged, log }
  const intake = createFrameIntake(createDecoderPool({ clock, log }))
  const frames = watchFrames({ ...deps, intake, memory: createMemory(null, deps).frameMemory })
  onTestFinished(async () => {
    await frames.stop()
    await store.close()
    await rm(folder, { recursive: true })
  })
  const { id } = await accountOf(store, 'bob@example.org')
  await frames.evidence.keepFlagged(id, [{ userSession: 's', jpeg: new Uint8Array([1]), at: clock.now() }])
  return {
    async decide(verdict: Verdict): Promise<number> {
      const decision = { moderator: 'mod', verdict, rule: 'guidelines', reason: 'test' } as const
      await frames.withEvidence(policy).decide(id, decision)
      await frames.settled()
      return (await store.evidence.list({ subject: id })).length
    },
  }
}

test.each(['dismiss', 'warn', 'block'] as const)('after the verdict %s the evidence is gone', async (verdict) => {
  const { decide } = await reviewForTest()
  expect(await decide(verdict)).toBe(0)
})

test('a suspension can be appealed against: its evidence stays until that is decided too', async () => {
  const { decide } = await reviewForTest()
  expect(await decide('suspend')).toBe(1)
  expect(await decide('restore')).toBe(0)
})
