import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { signIn, startServer } from '../../support/servers/server.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'
import { addModerator, logIn, operatorCommand } from '../../support/stores/moderators.ts'

async function deskWithAda() {
  const dataDir = await migratedFolder()
  const server = await startServer({}, { dataDir })
  onTestFinished(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const ada = await signIn(server, { email: 'ada@example.org' })
  const mia = await logIn(server, await addModerator(dataDir, 'mia'))
  const found = await mia.requestConsole('search', { text: 'ada@example.org' })
  const id = found.cases[0]?.id ?? ''
  const statusOfAda = async () => (await ada.request('readBlockStatus', { userEmailAddress: ada.email })).status
  const audit = async () =>
    (await operatorCommand(dataDir, { do: 'audit' })).split('\n').filter((line) => line.includes('birth-corrected'))
  return { server, ada, mia, id, statusOfAda, audit }
}

test('a moderator corrects a date of birth, which the user sees and cannot change', async () => {
  const { ada, mia, id, statusOfAda, audit } = await deskWithAda()
  expect(await mia.requestConsole('readCase', { id })).toMatchObject({ dateOfBirth: '1990-12-10' })
  expect(await mia.requestConsole('correctBirth', { id, dateOfBirth: '1989-01-31' })).toEqual({ status: 'Valid' })
  expect(await mia.requestConsole('readCase', { id })).toMatchObject({ dateOfBirth: '1989-01-31' })
  expect(await ada.request('readProfile', undefined)).toMatchObject({ dateOfBirth: '1989-01-31' })
  const fields = { EmailAddress: ada.email, NickName: 'Ada', Gender: 'girl', ConsentAgreed: 'true' } as const
  expect((await ada.send('addProfile', { ...fields, DOB: '1990-12-10' })).status).toBe(409)
  expect(await statusOfAda()).toBe('Valid')
  const [line = '', ...others] = await audit()
  expect(others).toEqual([])
  expect(line).toContain('mia')
  expect(line).toContain(id)
  expect(line).not.toContain('1989')
})

test('a date of birth that makes the user a minor blocks them', async () => {
  const { ada, mia, id, statusOfAda, audit } = await deskWithAda()
  const dateOfBirth = `${new Date().getUTCFullYear() - 17}-01-01`
  expect(await mia.requestConsole('correctBirth', { id, dateOfBirth })).toEqual({ status: 'Blocked' })
  expect(await statusOfAda()).toBe('Blocked')
  expect((await ada.send('readHubToken', { userSessionId: ada.sessionId })).status).toBe(403)
  expect((await mia.requestConsole('readCase', { id })).history[0]).toMatchObject({ rule: 'adults-only', by: 'age' })
  expect(await audit()).toHaveLength(1)
})

test('bad dates and people without a profile are refused, and leave no line in the audit', async () => {
  const { server, mia, id, audit } = await deskWithAda()
  for (const dateOfBirth of ['2999-01-01', '1990-02-30', 'yesterday'])
    expect((await mia.sendToConsole('correctBirth', { id, dateOfBirth })).status).toBe(400)
  await signIn(server, { email: 'eve@example.org', profile: false })
  const { cases } = await mia.requestConsole('search', { text: 'eve@example.org' })
  const eve = cases[0]?.id ?? ''
  expect((await mia.sendToConsole('correctBirth', { id: eve, dateOfBirth: '1990-01-01' })).status).toBe(404)
  expect(await audit()).toEqual([])
})
