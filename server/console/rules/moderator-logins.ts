import type { Moderator } from '#protocol/console.ts'
import { AppError } from '#protocol/errors.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Counts } from '../../platform/rules/counts.ts'
import { createKnownDevices } from './known-devices.ts'
import { createLoginTries } from './login-tries.ts'
import { endOf, isLive } from './moderator-session.ts'
import type { Audit, Moderators, ModeratorTools } from './ports.ts'

/** Who calls the console, and from which login. */
export type ConsoleCaller = { moderatorId: string; name: string; sessionId: string; until: number }

export type Login = { name: string; password: string; code: string }

/** Where a login comes from: the network as limits count it, and the cookie that says which moderators used the browser before. */
export type LoginFrom = { network: string; device: string | undefined }

type Deps = {
  moderators: Moderators
  audit: Audit
  tools: ModeratorTools
  tries: Counts
  clock: Clock
  newId: () => string
}

/** Logins of moderators. Whatever is wrong with one, the answer is the same. */
export function createModeratorLogins({ moderators, audit, tools, tries, clock, newId }: Deps) {
  const devices = createKnownDevices({ tools, clock, newId })
  const limits = createLoginTries({ counts: tries, clock })

  async function refused(whose: string | null): Promise<never> {
    await audit.add({
      at: clock.now(),
      moderator: whose,
      session: null,
      action: 'login-refused',
      whom: null,
      what: whose === null ? 'a name that is no moderator' : '',
    })
    throw new AppError('login-required', 'Name, password or code is wrong')
  }

  return {
    /** The key of a browser that is known to be a moderator's; null for any other. */
    knownDevice: devices.any,

    /**
     * Rejects with `login-required` or `too-many-requests`. The returned token is known to nobody else; `device` is the cookie by
     * which this browser is known from now on.
     */
    async open(
      login: Login,
      { network, device }: LoginFrom,
    ): Promise<{ token: string; device: string; moderator: Moderator }> {
      const name = login.name.trim().toLowerCase()
      const account = await moderators.byName(name)
      const deviceId = account && devices.find(device, account)
      const from = { name, network, deviceId }
      const { fits, rehashed } = await limits.admit(from, async () => {
        const fits = await tools.checkPassword(login.password, account?.password ?? null)
        const isOld = fits && account !== null && tools.isOutdated(account.password)
        return { fits, rehashed: isOld ? await tools.hashPassword(login.password) : null }
      })
      if (!account) return refused(null)
      const now = clock.now()
      const step = tools.stepOf(account.totpSecret, login.code.replaceAll(' ', ''), now)
      if (!fits || account.disabledAt !== null || step === null || !(await moderators.takeStep(account.id, step)))
        return refused(account.name)
      const token = tools.makeToken()
      const session = { id: newId(), moderatorId: account.id, createdAt: now, seenAt: now }
      if (!(await moderators.openSession({ ...session, digest: tools.digest(token) }, account.password, rehashed)))
        return refused(account.name)
      await limits.forget(from)
      const line = { at: now, moderator: account.name, session: session.id, whom: null, what: '' }
      await audit.add({ ...line, action: 'login' })
      return {
        token,
        device: devices.remember(device, account, deviceId),
        moderator: { name: account.name, until: endOf(session) },
      }
    },

    /** Who has this token, null where it is no good any more. Being asked keeps the login awake. */
    async find(token: string): Promise<ConsoleCaller | null> {
      const session = await moderators.session(tools.digest(token))
      if (!session) return null
      const now = clock.now()
      if (!isLive(session, now)) {
        await moderators.closeSession(session.id)
        return null
      }
      await moderators.sawSession(session.id, now)
      const { id, moderatorId, name } = session
      return { moderatorId, name, sessionId: id, until: endOf(session) }
    },

    async close(caller: ConsoleCaller): Promise<void> {
      await moderators.closeSession(caller.sessionId)
      const line = { at: clock.now(), moderator: caller.name, session: caller.sessionId, whom: null, what: '' }
      await audit.add({ ...line, action: 'logout' })
    },
  }
}
export type ModeratorLogins = ReturnType<typeof createModeratorLogins>
