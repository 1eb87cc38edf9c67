import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { MINUTE_MS } from '#protocol/durations.ts'
import { hubErrorCode } from '#protocol/hub.ts'
import { sized } from '../../../scripts/test-limits.ts'
import { CONTENT_NOTICE_RATE } from '../../../server/platform/http/rate-limits.ts'
import { forgedAddress, forgedForm, forgedReport } from '../../support/attacks/forged-inputs.ts'
import { createDice } from '../../support/dice.ts'
import { call, hubPerson } from '../../support/hub/hub-person.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { runSeed } from '../../support/run-seed.ts'
import { newVisitor, signIn, startServer } from '../../support/servers/server.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { openStore } from '../../support/stores/store.ts'

/** Reports and forms together. */
const INPUTS = sized(200, 10_000)

async function serverWithRecords() {
  const dataDir = await migratedFolder()
  const clock = movableClock()
  const server = await startServer({ TRUST_PROXY: '127.0.0.1' }, { dataDir, clock })
  let isRunning = true
  onTestFinished(async () => {
    if (isRunning) await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  /** Stops the server. Resolves with its records. */
  async function records() {
    isRunning = false
    await server.stop()
    const store = await openStore(dataDir, randomUUID)
    onTestFinished(() => store.close())
    return store
  }
  return { server, clock, records }
}

const REPORTERS = 5
/** What a refusal of a report begins with: the field at fault, or why no report of this match can be made. */
const refusal =
  /(?:bad-request: (?:details|reason|note|curtain|type|A connection id|A session id)|not-in-match: |wrong-state: )/

test(`${INPUTS / 2} forged and repeated reports, TEST_SEED ${runSeed}: one record a reporter, and no status changes`, async () => {
  const { server, clock, records } = await serverWithRecords()
  const dice = createDice(runSeed)
  const bad = hubPerson(server, await signIn(server, { email: 'bad@example.org', address: '2001:db8:1::1' }))
  const codes = new Map<string, number>()
  const earlier: string[] = []
  const reporters = []
  for (let index = 0; index < REPORTERS; index += 1) {
    const address = `2001:db8:2:${index}::1`
    const reporter = hubPerson(server, await signIn(server, { email: `r${index}@example.org`, address }))
    reporters.push(reporter)
    const { session } = await call(bad, reporter)
    const { client } = reporter
    const known = [session, client.connectionId ?? '', bad.client.connectionId ?? '', 'nobody', ...earlier] as const
    earlier.push(session)
    const accepted: unknown[] = []
    const invoke = async (args: unknown[]) => {
      try {
        await client.invoke('HandleReportedUser', ...args)
        accepted.push(args)
      } catch (thrown) {
        const text = String(thrown)
        expect(text, JSON.stringify(args)).toMatch(refusal)
        const code = hubErrorCode(text.replace(/^Error: /, ''))
        codes.set(code, (codes.get(code) ?? 0) + 1)
      }
    }
    const isLast = index === REPORTERS - 1
    // Rare answers may need more inputs than a small number.
    const lacksAnswers = () => ['bad-request', 'not-in-match', 'wrong-state'].some((code) => !codes.has(code))
    for (let sent = 0; sent < INPUTS / 2 / REPORTERS || (isLast && lacksAnswers()); ) {
      const args = forgedReport(dice, known)
      const times = dice.chance(0.3) ? 3 : 1
      await Promise.all(Array.from({ length: times }, () => invoke(args)))
      sent += times
      // The rate of the method refills.
      clock.forward(times * 250)
    }
    const idsOfBoth = [client.connectionId, bad.client.connectionId, 'ReportOnly'] as const
    // The match of another reporter, in a report that has no other fault: random inputs rarely are so nearly right.
    if (index > 0) await invoke([...idsOfBoth, earlier[0], { reason: 'spam' }])
    await invoke([...idsOfBoth, session, { reason: 'under-18' }])
    expect(accepted).toHaveLength(1)
  }
  await Promise.all([bad, ...reporters].map(({ client }) => client.stop()))

  const store = await records()
  const [open, ...others] = await store.desk.openCases()
  expect(others).toEqual([])
  expect(open?.reports).toHaveLength(REPORTERS)
  expect(new Set(open?.reports.map(({ reporter }) => reporter)).size).toBe(REPORTERS)
})

const NETWORKS = 6
const AT_ONCE = 10

test(`${INPUTS / 2} forged and repeated forms, TEST_SEED ${runSeed}: each is kept once, or refused by its field or by the limit of its network`, async () => {
  const { server, clock, records } = await serverWithRecords()
  const dice = createDice(runSeed + 1)
  const keys: string[] = []
  /** The numbers that were given for each key. */
  const references = new Map<string, Set<string>>()
  const statuses = new Map<number, number>()
  /** When requests of each network were taken. */
  const taken = new Map<number, number[]>()

  async function send(): Promise<void> {
    // Half of the repeats come at the same time as the first.
    const { body, key, isForm } = forgedForm(dice, dice.chance(0.5) ? keys.slice(-2) : keys)
    const { network, forwarded } = forgedAddress(dice, NETWORKS)
    if (isForm) keys.push(key)
    const headers = { 'content-type': 'application/json' }
    const visitor = newVisitor(server, { 'x-forwarded-for': forwarded })
    const response = await visitor.fetch('/api/content-notice/send', { method: 'POST', headers, body })
    const { status } = response
    const answer = (await response.json()) as { reference?: string; field?: string; detail?: string }
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect([200, 400, 409, 413, 429], `${status} ${JSON.stringify(answer)} for ${body}`).toContain(status)
    if (status === 429) return
    taken.set(network, [...(taken.get(network) ?? []), clock.now()])
    if (status === 400 && isForm)
      expect(['kind', 'email', 'day', 'time', 'description', 'link', 'isTrue', 'key'], body).toContain(answer.field)
    if (status === 200) {
      expect(answer.reference).toMatch(/^[0-9A-F]{12}$/)
      references.set(key, (references.get(key) ?? new Set()).add(answer.reference ?? ''))
    }
  }

  // Rare answers may need more inputs than a small number.
  for (
    let sent = 0;
    sent < INPUTS / 2 || [200, 400, 409, 429].some((status) => !statuses.has(status));
    sent += AT_ONCE
  ) {
    await Promise.all(Array.from({ length: AT_ONCE }, send))
    clock.forward(MINUTE_MS / 2)
  }
  const { max, timeWindow } = CONTENT_NOTICE_RATE
  for (const [network, times] of taken) {
    // A window begins with a request, so any span of its length touches two windows at most.
    for (const from of times) {
      const within = times.filter((at) => at >= from && at < from + timeWindow)
      expect(within.length, `network ${network}`).toBeLessThanOrEqual(2 * max)
    }
  }

  const store = await records()
  const kept = await store.contentNotices.open(INPUTS)
  for (const [key, given] of references) expect(given.size, key).toBe(1)
  expect(kept.map(({ reference }) => reference).sort()).toEqual(
    [...references.values()].flatMap((all) => [...all]).sort(),
  )
})
