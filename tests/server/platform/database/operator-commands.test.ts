import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { signIn, startServer } from '../../../support/servers/server.ts'
import { migratedDatabase } from '../../../support/stores/migrated.ts'
import { credentialsIn, logIn } from '../../../support/stores/moderators.ts'
import { postgresPort } from '../../../support/stores/stores.ts'

test('an operator reaches moderators and legal holds in a shared database while a server runs', async () => {
  const env = { DATABASE_URL: await migratedDatabase(postgresPort()) }
  const server = await startServer(env, { costlyPasswords: true })
  onTestFinished(() => server.stop())
  await signIn(server, { email: 'ada@example.org' })
  const command = async (script: string, ...words: string[]) => {
    const options = { env: { ...process.env, NODE_ENV: 'test', ...env } }
    return (await promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...words], options)).stdout
  }

  const mia = await logIn(server, credentialsIn(await command('moderator', 'add', 'mia'), 'mia'))
  expect((await mia.requestConsole('readQueue', {})).cases).toEqual([])
  expect(await command('moderator', 'audit')).toMatch(/mia .* login/)
  await command('moderator', 'disable', 'mia')
  expect((await mia.sendToConsole('readQueue', {})).status).toBe(401)

  await command('legal-hold', 'set', 'ADA@example.org', 'Case 7', '--by', 'J. Doe')
  expect(await command('legal-hold', 'list')).toContain('J. Doe  Case 7')
})
