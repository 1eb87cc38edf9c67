import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP, URI } from 'otpauth'
import { expect, test } from 'vitest'
import { OwnCounts } from '../../../server/domain/counts.ts'
import { createModeratorLogins } from '../../../server/domain/moderator-logins.ts'
import { createModeratorOffice } from '../../../server/domain/moderator-office.ts'
import { createModeratorTools } from '../../../server/moderator-tools.ts'
import { openStore } from '../../../server/store/open-store.ts'

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
        tries: new OwnCounts(clock.now),
        clock,
        newId: randomUUID,
      })
      const login = logins.open({ name: 'mia', password: mia.password, code: totp.generate() })
      await expect(login).rejects.toMatchObject({ code: 'login-required' })
      expect(await logins.find(token)).toBeNull()
      expect((await store.audit.latest(1))[0]?.action).toBe('login-refused')
    } finally {
      await store.close()
      rmSync(folder, { recursive: true })
    }
  },
)
