import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import { mayChat } from '#protocol/block-status.ts'
import type { ErrorCode } from '#protocol/errors.ts'
import type { ReadHubToken } from '../accounts/rules/login-ports.ts'

/**
 * Authorisations that run at the same time; more would delay other requests. With two round trips of 80 ms each, this
 * allows 1,600 a second.
 */
const AUTHORISATIONS_AT_ONCE = 256

/** The user of a connection that negotiate has promised, or that exists. */
export const ownerSchema = v.object({
  id: v.string(),
  token: v.string(),
  accountId: v.string(),
  /** The login session. */
  sessionId: v.string(),
  /** The page load; null when the client does not name one. */
  visit: v.nullable(v.string()),
  /** The client requested stateful reconnect in negotiate. */
  isStateful: v.boolean(),
})
export type ConnectionOwner = v.InferOutput<typeof ownerSchema>
export type AuthorisedUser = Omit<ConnectionOwner, 'id' | 'token' | 'isStateful'>

export type Refused = { status: number; code: ErrorCode }

type Deps = {
  readHubToken: ReadHubToken
  originAllowed: (origin: string | undefined) => boolean
}

/** Query keys of the hub are case-insensitive. */
export function hubQuery(url: string): Map<string, string> {
  const start = url.indexOf('?')
  const query = new URLSearchParams(start === -1 ? '' : url.slice(start + 1))
  return new Map([...query].map(([key, value]) => [key.toLowerCase(), value]))
}

function visitOf(query: Map<string, string>): string | null {
  const visit = query.get('visit') ?? ''
  return /^[\w-]{1,64}$/.test(visit) ? visit : null
}

function bearer(headers: IncomingHttpHeaders, query: Map<string, string>): string {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  return token ?? query.get('access_token') ?? ''
}

/** Returns a function that runs `task`, at most `limit` times at once. Further calls wait in the order in which they came. */
function limitConcurrency<Args extends unknown[], Result>(
  limit: number,
  task: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (...args) => {
    if (running < limit) running += 1
    // A finished call passes its slot to the call that waits longest.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task(...args)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/**
 * Decides who may use the hub. A browser always sends its Origin, so a request without an Origin is not from a page and passes.
 * Only the token names the user. A session id in the query must match the token; an email in the query is ignored.
 */
export function createAuthorisation({ readHubToken, originAllowed }: Deps) {
  async function authorise(
    headers: IncomingHttpHeaders,
    query: Map<string, string>,
  ): Promise<AuthorisedUser | Refused> {
    if (headers.origin !== undefined && !originAllowed(headers.origin)) return { status: 403, code: 'origin-refused' }
    const token = bearer(headers, query)
    const user = token === '' ? null : await readHubToken(token)
    if (!user) return { status: 401, code: 'login-required' }
    if (!mayChat(user.account.status)) return { status: 403, code: 'blocked' }
    const claimed = query.get('usersessionid')
    if (claimed && claimed !== user.sessionId) return { status: 403, code: 'forbidden' }
    return { accountId: user.accountId, sessionId: user.sessionId, visit: visitOf(query) }
  }
  return limitConcurrency(AUTHORISATIONS_AT_ONCE, authorise)
}

export type Authorise = ReturnType<typeof createAuthorisation>
