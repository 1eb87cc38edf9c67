import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Verdict } from '#protocol/moderation.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createEvidenceVault } from '../../../server/moderation/evidence-vault.ts'
import { createEvidence, withEvidence } from '../../../server/moderation/rules/evidence.ts'
import { createModeration } from '../../../server/moderation/rules/moderation.ts'
import { Background } from '../../../server/platform/background.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { accountOf } from '../../support/stores/put-status.ts'
import { openStore } from '../../support/stores/store.ts'

async function reviewForTest() {
  const folder = await migratedFolder()
  const store = await openStore(folder, randomUUID)
  const clock = fakeClock(1_000_000_000)
  const config = readConfig({})
  const policy = createModeration({
    ...store,
    clock,
    policy: config.moderation,
    digest: (text) => text,
    onChanged: () => undefined,
    onSuspended: () => undefined,
    sendEmail: false,
  })
  const background = new Background(pino({ level: 'silent' }), clock)
  const runInBackground = background.run.bind(background)
  const vault = createEvidenceVault([{ id: 'k', secret: 'k'.repeat(32) }])
  const evidence = createEvidence({ records: store.evidence, vault, clock, newId: randomUUID, runInBackground })
  const moderation = withEvidence(policy, { evidence, records: store.evidence, runInBackground })
  onTestFinished(async () => {
    evidence.stop()
    await background.settled()
    await store.close()
    await rm(folder, { recursive: true })
  })
  const { id } = await accountOf(store, 'bob@example.org')
  await evidence.keepFlagged(id, [{ userSession: 's', jpeg: new Uint8Array([1]), at: clock.now() }])
  return {
    async decide(verdict: Verdict): Promise<number> {
      const decision = { moderator: 'mod', verdict, rule: 'guidelines', reason: 'test' } as const
      await moderation.decide(id, decision)
      await background.settled()
      return (await store.evidence.list({ subject: id })).length
    },
  }
}

test.each(['dismiss', 'warn', 'block'] as const)('the verdict %s deletes the evidence', async (verdict) => {
  const { decide } = await reviewForTest()
  expect(await decide(verdict)).toBe(0)
})

test('the evidence of a suspension is kept until the appeal is decided', async () => {
  const { decide } = await reviewForTest()
  expect(await decide('suspend')).toBe(1)
  expect(await decide('restore')).toBe(0)
})
