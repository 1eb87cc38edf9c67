import type { Moderator } from '#protocol/console.ts'
import { AppError } from '#protocol/errors.ts'
import type { Audit, Moderators, ModeratorTools } from './console-ports.ts'
import { endOf, isLive } from './console-session.ts'
import type { Counts } from './counts.ts'
import type { Clock } from './ports.ts'

/** Who calls the console, and from which login. */
export type ConsoleCaller = { moderatorId: string; name: string; sessionId: string; until: number }

export type Login = { name: string; password: string; code: string }

/** Tries for one name, whether or not there is such an account. */
const TRIES = { max: 5, windowMs: 5 * 60_000 }

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
  const triesOf = (name: string) => `tries for ${name}`

  async function mayTry(name: string): Promise<boolean> {
    const { count } = await tries.add(triesOf(name), TRIES.windowMs)
    return count <= TRIES.max
  }

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
    /** Rejects with `login-required` or `too-many-requests`. The answer's token is known to nobody else. */
    async open(login: Login): Promise<{ token: string; moderator: Moderator }> {
      const name = login.name.trim().toLowerCase()
      if (!(await mayTry(name))) throw new AppError('too-many-requests', 'Try again in a few minutes')
      const account = await moderators.byName(name)
      const fits = await tools.checkPassword(login.password, account?.password ?? null)
      if (!account) return refused(null)
      const now = clock.now()
      const step = tools.stepOf(account.totpSecret, login.code.replaceAll(' ', ''), now)
      if (!fits || account.disabledAt !== null || step === null || !(await moderators.takeStep(account.id, step)))
        return refused(account.name)
      const token = tools.makeToken()
      const session = { id: newId(), moderatorId: account.id, createdAt: now, seenAt: now }
      if (!(await moderators.openSession({ ...session, digest: tools.digest(token) }, account.password)))
        return refused(account.name)
      await tries.forget(triesOf(name))
      const line = { at: now, moderator: account.name, session: session.id, whom: null, what: '' }
      await audit.add({ ...line, action: 'login' })
      return { token, moderator: { name: account.name, until: endOf(session) } }
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
