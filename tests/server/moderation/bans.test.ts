import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { type SignedInVisitor, signIn, startServer } from '../../support/servers/server.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { addModerator, logIn } from '../../support/stores/moderators.ts'
import { accountOf, putStatus } from '../../support/stores/put-status.ts'

async function keptFolder(): Promise<string> {
  const folder = await migratedFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const statusOf = (visitor: SignedInVisitor) => visitor.request('readBlockStatus', { userEmailAddress: visitor.email })

/** Sends the date of birth of a minor. */
async function grownDown(visitor: SignedInVisitor, day: string): Promise<number> {
  const fields = { EmailAddress: visitor.email, NickName: 'Kid', Gender: 'boy', ConsentAgreed: 'true' } as const
  return (await visitor.send('addProfile', { ...fields, DOB: day })).status
}

const today = new Date().toISOString().slice(0, 10)

test('a minor who deletes the account and signs in again with an adult date of birth stays blocked', async () => {
  const dataDir = await keptFolder()
  const first = await startServer({}, { dataDir })
  const kid = await signIn(first, { email: 'kid@example.org', profile: false })
  expect(await grownDown(kid, today)).toBe(403)
  expect(await statusOf(kid)).toMatchObject({
    status: 'Blocked',
    case: { what: 'age', rule: 'adults-only', until: null, next: 'final' },
  })
  await first.stop()

  const records = new DatabaseSync(join(dataDir, 'waggle.sqlite'))
  records.exec("pragma foreign_keys = on; delete from accounts where email = 'kid@example.org'")
  expect(records.prepare('select count(*) as left from status_changes').get()).toEqual({ left: 0 })
  records.close()

  const second = await startServer({}, { dataDir })
  onTestFinished(second.stop)
  const again = await signIn(second, { email: 'kid@example.org', dateOfBirth: '1990-01-01' })
  expect(await statusOf(again)).toMatchObject({
    status: 'Blocked',
    case: { what: 'earlier-ban', rule: 'adults-only', next: 'final' },
  })
  expect((await again.send('readHubToken', { userSessionId: again.sessionId })).status).toBe(403)
  expect(await statusOf(await signIn(second, { email: 'other@example.org' }))).toMatchObject({ status: 'Valid' })
})

test('who was banned with one provider is banned with the other under the same mailbox, until the date is corrected', async () => {
  const dataDir = await keptFolder()
  const server = await startServer({}, { dataDir })
  onTestFinished(server.stop)
  const kid = await signIn(server, { email: 'kid.one@gmail.com', profile: false })
  expect(await grownDown(kid, today)).toBe(403)
  const come = () =>
    signIn(server, { email: 'KidOne+2@gmail.com', source: 'Facebook', profile: false }).then(async (visitor) => ({
      visitor,
      ...(await statusOf(visitor)),
    }))
  expect(await come()).toMatchObject({ status: 'Blocked', case: { what: 'earlier-ban', rule: 'adults-only' } })

  const mia = await logIn(server, await addModerator(dataDir, 'mia'))
  const correct = async (email: string, dateOfBirth: string) => {
    const id = (await mia.requestConsole('search', { text: email })).cases[0]?.id ?? ''
    expect(await mia.requestConsole('readCase', { id })).toMatchObject({ isBlockedForBirth: true })
    return (await mia.requestConsole('correctBirth', { id, dateOfBirth })).status
  }
  expect(await correct('kid.one@gmail.com', today)).toBe('Blocked')
  expect(await correct('kid.one@gmail.com', '1990-01-01')).toBe('Valid')
  // The other account is still blocked, and its block is no reason for that of the first.
  const again = await signIn(server, { email: 'kid.one@gmail.com', profile: false })
  expect(await statusOf(again)).toMatchObject({ status: 'Valid', notice: { outcome: 'restored' } })
  expect((await come()).status).toBe('Blocked')
  expect(await correct('kidone+2@gmail.com', '1990-01-01')).toBe('Valid')
  expect((await come()).status).toBe('Valid')
})

test('a block from before the table of bans existed survives the deletion of its account', async () => {
  const server = await startServer({ DELETION_DELAY_DAYS: '0', HOUSEKEEPING_MS: '20' })
  onTestFinished(server.stop)
  const troll = await signIn(server, { email: 'troll@example.org' })
  // Records the block under a digest that belongs to no user.
  await server.edit(async (store) =>
    putStatus(store, await accountOf(store, troll.email), 'Blocked', { rule: 'no-scams' }),
  )
  await troll.request('deleteData', undefined)
  let left: string | null = ''
  await expect
    .poll(async () => {
      await server.edit(async (store) => {
        left = await store.personalData.accountOf('Google', troll.email)
      })
      return left
    })
    .toBeNull()
  const again = await signIn(server, { email: troll.email, profile: false })
  expect(await statusOf(again)).toMatchObject({ status: 'Blocked', case: { what: 'earlier-ban', rule: 'no-scams' } })
})

test('the records hold no address, and a block keeps comparable risk signals', async () => {
  const dataDir = await keptFolder()
  const server = await startServer({ TRUST_PROXY: '127.0.0.1' }, { dataDir })
  const kid = await signIn(server, { email: 'kid@example.org', profile: false, address: '203.0.113.77' })
  const ip = { UserSessionId: kid.sessionId, IpAddress: '203.0.113.77', HostName: 'host-77.example', City: 'Bern' }
  await kid.request('addIp', { ...ip, Country: 'CH', Coordinates: '46.9,7.4' })
  await grownDown(kid, today)
  await server.stop()

  for (const file of await readdir(dataDir)) {
    const text = (await readFile(join(dataDir, file))).toString('latin1')
    for (const secret of ['203.0.113', 'host-77', '46.9,7.4']) expect(text).not.toContain(secret)
  }
  const records = new DatabaseSync(join(dataDir, 'waggle.sqlite'), { readOnly: true })
  const kinds = records.prepare('select kind from banned_signals order by kind').all()
  records.close()
  expect(kinds).toEqual([{ kind: 'address' }, { kind: 'device' }])
})
