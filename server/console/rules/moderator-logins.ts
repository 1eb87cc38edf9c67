import { CONSOLE_IDLE_MS, CONSOLE_LOGIN_SESSION_MS, type ConsoleInput, type Moderator } from '#protocol/console.ts'
import { AppError } from '#protocol/errors.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Counts } from '../../platform/rules/counts.ts'
import { createKnownDevices } from './known-devices.ts'
import { createLoginLimits } from './login-limits.ts'
import type { Audit, ConsoleCaller, ModeratorLoginSession, Moderators, ModeratorTools } from './ports.ts'

/** Source of a login attempt: the network as rate limits count it, and the cookie of known devices. */
type LoginSource = { network: string; device: string | undefined }

type Times = Pick<ModeratorLoginSession, 'createdAt' | 'seenAt'>

/** Returns when a login session ends, however much it is used. */
export function endOf({ createdAt }: Times): number {
  return createdAt + CONSOLE_LOGIN_SESSION_MS
}

export function isLive(session: Times, now: number): boolean {
  return now < endOf(session) && now < session.seenAt + CONSOLE_IDLE_MS
}

type Deps = {
  moderators: Moderators
  audit: Pick<Audit, 'add'>
  tools: ModeratorTools
  counts: Counts
  clock: Clock
  newId: () => string
}

/** Logins of moderators. The error is the same for a wrong name, password or code, so that nobody can guess one of the three alone. */
export function createModeratorLogins({ moderators, audit, tools, counts, clock, newId }: Deps) {
  const devices = createKnownDevices({ tools, clock, newId })
  const limits = createLoginLimits({ counts, clock })

  function record(action: string, moderator: string | null, session: string | null, what = ''): Promise<void> {
    return audit.add({ at: clock.now(), moderator, session, action, whom: null, what })
  }

  async function refuse(moderator: string | null): Promise<never> {
    const what = moderator === null ? 'a name that is no moderator' : ''
    await record('login-refused', moderator, null, what)
    throw new AppError('login-required', 'Name, password or code is wrong')
  }

  return {
    /** Returns the id of a device on which a moderator has logged in before; null for an unknown device. */
    knownDevice: devices.findAny,

    /**
     * Opens a login session. Rejects with `login-required` or `too-many-requests`. In the result, `device` is the new
     * cookie of known devices.
     */
    async open(
      login: ConsoleInput<'login'>,
      { network, device }: LoginSource,
    ): Promise<{ token: string; device: string; moderator: Moderator }> {
      const name = login.name.trim().toLowerCase()
      const account = await moderators.findByName(name)
      const deviceId = account && devices.find(device, account)
      const attempt = { name, network, deviceId }
      const { fits, rehashed } = await limits.admit(attempt, async () => {
        const fits = await tools.checkPassword(login.password, account?.password ?? null)
        const isOutdated = fits && account !== null && tools.isOutdated(account.password)
        return { fits, rehashed: isOutdated ? await tools.hashPassword(login.password) : null }
      })
      if (!account) return refuse(null)
      const now = clock.now()
      const step = tools.stepOf(account.totpSecret, login.code.replaceAll(' ', ''), now)
      if (!fits || account.disabledAt !== null || step === null) return refuse(account.name)
      if (!(await moderators.consumeTotpStep(account.id, step))) return refuse(account.name)
      const token = tools.makeToken()
      const session = { id: newId(), moderatorId: account.id, createdAt: now, seenAt: now }
      if (!(await moderators.openLoginSession({ ...session, digest: tools.digest(token) }, account.password, rehashed)))
        return refuse(account.name)
      await limits.reset(attempt)
      await record('login', account.name, session.id)
      return {
        token,
        device: devices.cookieAfterLogin(device, account, deviceId),
        moderator: { name: account.name, until: endOf(session) },
      }
    },

    /** Resolves with the moderator of a login session and marks the session as used; null for an unknown or expired token. */
    async find(token: string): Promise<ConsoleCaller | null> {
      const session = await moderators.findLoginSession(tools.digest(token))
      if (!session) return null
      const now = clock.now()
      if (!isLive(session, now)) {
        await moderators.closeLoginSession(session.id)
        return null
      }
      await moderators.touchLoginSession(session.id, now)
      const { id, moderatorId, name } = session
      return { moderatorId, name, loginSessionId: id, until: endOf(session) }
    },

    async close(caller: ConsoleCaller): Promise<void> {
      await moderators.closeLoginSession(caller.loginSessionId)
      await record('logout', caller.name, caller.loginSessionId)
    },
  }
}
export type ModeratorLogins = ReturnType<typeof createModeratorLogins>
