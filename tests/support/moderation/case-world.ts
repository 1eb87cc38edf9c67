import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import type { Rule, Verdict } from '#protocol/moderation.ts'
import type { ReportReason } from '#protocol/reports.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createModeration } from '../../../server/moderation/rules/moderation.ts'
import type { Finding } from '../../../server/moderation/rules/ports.ts'
import { riskScore } from '../../../server/moderation/rules/risk.ts'
import { confirmedCall } from '../stores/confirmed-call.ts'
import { migratedFolder } from '../stores/migrated.ts'
import { settledByAge } from '../stores/settled-people.ts'
import { openStore } from '../stores/store.ts'

/** Moderation with its records in SQLite, without a server. People are named; reporters have old accounts, the others new ones. */
export async function caseWorld(settings: Record<string, string> = settledByAge) {
  const folder = await migratedFolder()
  const store = await openStore(folder, randomUUID)
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const clock = { at: 1_000 * DAY_MS }
  const suspended: string[] = []
  const { moderation: policy } = readConfig(settings)
  const moderation = createModeration({
    ...store,
    clock: { now: () => clock.at },
    policy,
    digest: (text) => `digest of ${text}`,
    onChanged: () => undefined,
    onSuspended: (id) => void suspended.push(id),
    sendEmail: true,
  })
  let matches = 0

  async function account(name: string, at = clock.at): Promise<string> {
    const identity = { provider: 'Google', subject: name, email: `${name}@example.org`, firstName: name } as const
    return (await store.accounts.signIn({ ...identity, lastName: 'NA' }, at)).id
  }
  return {
    store,
    moderation,
    clock,
    suspended,
    account,
    /** The risk score of the account, from 0 to 0.8. */
    risk: async (id: string) => riskScore(await store.risks.matches(id, clock.at)),
    statusOf: async (id: string) => (await store.accounts.find(id))?.status,
    decide: (id: string, verdict: Verdict, rule: Rule = 'be-respectful') =>
      moderation.decide(id, { moderator: 'mo', verdict, rule, reason: 'seen' }),
    async report(by: string, about: string, callMs: number | null = 60_000, reason?: ReportReason): Promise<void> {
      matches += 1
      clock.at += 1
      // The reporters' accounts are months old and were created on different days.
      const [reporter, reported] = [await account(by, clock.at - (100 + matches) * DAY_MS), await account(about)]
      const session = `s${matches}`
      await moderation.recordReport({
        session,
        reporter,
        reported,
        type: 'ReportOnly',
        callMs,
        ...confirmedCall,
        at: clock.at,
        details: reason && { reason },
      })
      await moderation.judge(reported)
    },
    async find(name: string, score = 0.9): Promise<void> {
      const finding: Finding = { session: 's', label: 'Porn', score, at: clock.at }
      await moderation.recordFinding(await account(name), finding)
    },
  }
}
