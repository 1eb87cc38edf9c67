import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP, URI } from 'otpauth'
import { expect, test } from 'vitest'
import { createModeratorTools } from '../../../server/console/moderator-tools.ts'
import { createModeratorAccounts } from '../../../server/console/rules/moderator-accounts.ts'
import { createModeratorLogins } from '../../../server/console/rules/moderator-logins.ts'
import { LocalCounts } from '../../../server/platform/rules/counts.ts'
import { cheapKey } from '../../support/stores/cheap-key.ts'
import { codeOf } from '../../support/stores/moderators.ts'
import { openStore } from '../../support/stores/store.ts'

test.for(['reset', 'disable'] as const)('a concurrent %s of the account lets no login through', async (order) => {
  const folder = mkdtempSync(join(tmpdir(), 'login-test-'))
  const store = await openStore(folder, randomUUID)
  try {
    const clock = { now: Date.now, after: () => () => undefined }
    const tools = createModeratorTools('a secret of the server', cheapKey)
    const accounts = createModeratorAccounts({ ...store, tools, clock, newId: randomUUID })
    const mia = await accounts.add('mia')
    const totp = URI.parse(mia.uri)
    if (!(totp instanceof TOTP)) throw new Error('no code')
    let token = ''
    const logins = createModeratorLogins({
      ...store,
      // The operator's command runs after all checks, just before the login session is added.
      tools: {
        ...tools,
        makeToken() {
          token = tools.makeToken()
          return token
        },
      },
      moderators: {
        ...store.moderators,
        async consumeTotpStep(id, step) {
          const isUnused = await store.moderators.consumeTotpStep(id, step)
          await accounts[order]('mia')
          return isUnused
        },
      },
      counts: new LocalCounts(clock.now),
      clock,
      newId: randomUUID,
    })
    const login = logins.open(
      { name: 'mia', password: mia.password, code: totp.generate() },
      { network: 'here', device: undefined },
    )
    await expect(login).rejects.toMatchObject({ code: 'login-required' })
    expect(await logins.find(token)).toBeNull()
    expect((await store.audit.latest(1))[0]?.action).toBe('login-refused')
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})

test('the first login replaces an outdated hash, and the password stays valid', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'login-test-'))
  const store = await openStore(folder, randomUUID)
  try {
    let now = Date.now()
    const clock = { now: () => now, after: () => () => undefined }
    const tools = createModeratorTools('a secret of the server')
    const accounts = createModeratorAccounts({ ...store, tools, clock, newId: randomUUID })
    const { uri } = await accounts.add('mia')
    const account = await store.moderators.findByName('mia')
    if (!account) throw new Error('no account')
    // Hash of "abcde-fghij" at the first cost.
    const password = 'c2FsdHNhbHRzYWx0c2FsdA.xwEEqS1H5p-bw-7HwMXwwZMTnwc_YaIUS45dd3v7iV0'
    await store.moderators.reset('mia', { ...account, password })
    const logins = createModeratorLogins({
      ...store,
      tools,
      counts: new LocalCounts(clock.now),
      clock,
      newId: randomUUID,
    })
    const logIn = (typed: string) => {
      now += 60_000
      const login = { name: 'mia', password: typed, code: codeOf({ uri }, now) }
      return logins.open(login, { network: 'here', device: undefined })
    }
    await expect(logIn('abcde-fghik')).rejects.toMatchObject({ code: 'login-required' })
    expect((await store.moderators.findByName('mia'))?.password).toBe(password)
    await logIn('abcde-fghij')
    const rehashed = (await store.moderators.findByName('mia'))?.password ?? ''
    expect(tools.isOutdated(rehashed)).toBe(false)
    await logIn('abcde-fghij')
    expect((await store.moderators.findByName('mia'))?.password).toBe(rehashed)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})
