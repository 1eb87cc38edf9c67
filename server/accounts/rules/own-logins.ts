import { AppError } from '#protocol/errors.ts'
import type { OwnLogin } from '#protocol/logins.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { AttachedLoginSession, LoginSessions } from './login-ports.ts'
import { type EndLogin, FRESH_SIGN_IN_MS, LOGIN_MS, type Login, type SignedLogin } from './login-ports.ts'

/** Throws `sign-in-again` if the sign-in is older than `FRESH_SIGN_IN_MS`. */
export function requireFreshSignIn({ signedInAt }: Pick<SignedLogin, 'signedInAt'>, now: number): void {
  if (now - signedInAt > FRESH_SIGN_IN_MS) throw new AppError('sign-in-again')
}

/** True if the login that a token states still exists: a token stays valid by its signature after a logout. */
export async function isLive(
  loginSessions: Pick<LoginSessions, 'find'>,
  { accountId, sessionId, signedInAt }: SignedLogin,
  now: number,
): Promise<boolean> {
  const session = await loginSessions.find(sessionId)
  return session?.accountId === accountId && session.signedInAt === signedInAt && now < signedInAt + LOGIN_MS
}

type EndDeps = { loginSessions: Pick<LoginSessions, 'end'>; endOnHub: (login: Login) => void }

export function createEndLogin({ loginSessions, endOnHub }: EndDeps): EndLogin {
  return async (login) => {
    await loginSessions.end(login.sessionId, login.accountId)
    endOnHub(login)
  }
}

export function createOwnLogins(deps: {
  loginSessions: Pick<LoginSessions, 'attachedTo'>
  endLogin: EndLogin
  /** A keyed one-way function; the browser sees its result in place of the login session's id. */
  digest: (text: string) => string
  clock: Clock
}) {
  const { loginSessions, endLogin, digest, clock } = deps

  const idOf = (sessionId: string) => digest(`login ${sessionId}`)

  function isOver({ signedInAt, until }: AttachedLoginSession): boolean {
    const now = clock.now()
    return until === null || until <= now || signedInAt + LOGIN_MS <= now
  }

  async function endWhere({ accountId }: Login, matches: (session: AttachedLoginSession) => boolean): Promise<void> {
    for (const session of await loginSessions.attachedTo(accountId))
      if (matches(session)) await endLogin({ accountId, sessionId: session.id })
  }

  return {
    /** Resolves with the logins that are not over, the caller's own first. */
    async list(caller: Login): Promise<OwnLogin[]> {
      const isCurrent = ({ id }: AttachedLoginSession) => id === caller.sessionId
      const attached = await loginSessions.attachedTo(caller.accountId)
      const others = attached.filter((session) => !isCurrent(session) && !isOver(session))
      const listed = [...attached.filter(isCurrent), ...others]
      return listed.map(({ id, until: _, ...login }) => ({
        ...login,
        id: idOf(id),
        isCurrent: id === caller.sessionId,
      }))
    },

    /** Does nothing if no login of this account has the id. */
    end: (caller: Login, id: string) => endWhere(caller, (session) => idOf(session.id) === id),

    endOthers: (caller: Login) => endWhere(caller, (session) => session.id !== caller.sessionId),
  }
}
