import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP, URI } from 'otpauth'
import { expect, test } from 'vitest'
import { createModeratorTools } from '../../../server/console/moderator-tools.ts'
import { createModeratorOffice } from '../../../server/console/rules/moderator-accounts.ts'
import { createModeratorLogins } from '../../../server/console/rules/moderator-logins.ts'
import { LocalCounts } from '../../../server/platform/rules/counts.ts'
import { codeOf } from '../../support/stores/moderators.ts'
import { openStore } from '../../support/stores/store.ts'

test.for(['reset', 'disable'] as const)(
  'a login that is under way while an operator says %s opens nothing',
  async (order) => {
    const folder = mkdtempSync(join(tmpdir(), 'login-test-'))
    const store = await openStore(folder, randomUUID)
    try {
      const clock = { now: Date.now, after: () => () => undefined }
      const tools = createModeratorTools('a secret of the server')
      const office = createModeratorOffice({ ...store, tools, clock, newId: randomUUID })
      const mia = await office.add('mia')
      const totp = URI.parse(mia.uri)
      if (!(totp instanceof TOTP)) throw new Error('no code')
      let token = ''
      const logins = createModeratorLogins({
        ...store,
        // The last moment before the session.
        tools: {
          ...tools,
          makeToken() {
            token = tools.makeToken()
            return token
          },
        },
        moderators: {
          ...store.moderators,
          async takeStep(id, step) {
            const taken = await store.moderators.takeStep(id, step)
            await office[order]('mia')
            return taken
          },
        },
        tries: new LocalCounts(clock.now),
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
  },
)

test('the first login with an old hash replaces it by one of today, and the password stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'login-test-'))
  const store = await openStore(folder, randomUUID)
  try {
    let now = Date.now()
    const clock = { now: () => now, after: () => () => undefined }
    const tools = createModeratorTools('a secret of the server')
    const office = createModeratorOffice({ ...store, tools, clock, newId: randomUUID })
    const { uri } = await office.add('mia')
    const kept = await store.moderators.byName('mia')
    if (!kept) throw new Error('no account')
    // Of "abcde-fghij", as the first version made it.
    const password = 'c2FsdHNhbHRzYWx0c2FsdA.xwEEqS1H5p-bw-7HwMXwwZMTnwc_YaIUS45dd3v7iV0'
    await store.moderators.reset('mia', { ...kept, password })
    const logins = createModeratorLogins({
      ...store,
      tools,
      tries: new LocalCounts(clock.now),
      clock,
      newId: randomUUID,
    })
    const logIn = (typed: string) => {
      now += 60_000
      const login = { name: 'mia', password: typed, code: codeOf({ uri }, now) }
      return logins.open(login, { network: 'here', device: undefined })
    }
    await expect(logIn('abcde-fghik')).rejects.toMatchObject({ code: 'login-required' })
    expect((await store.moderators.byName('mia'))?.password).toBe(password)
    await logIn('abcde-fghij')
    const rehashed = (await store.moderators.byName('mia'))?.password ?? ''
    expect(tools.isOutdated(rehashed)).toBe(false)
    await logIn('abcde-fghij')
    expect((await store.moderators.byName('mia'))?.password).toBe(rehashed)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})
