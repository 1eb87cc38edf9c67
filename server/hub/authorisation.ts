import type { IncomingHttpHeaders } from 'node:http'
import { mayChat } from '#protocol/block-status.ts'
import type { ErrorCode } from '#protocol/errors.ts'
import type { ReadHubToken } from '../accounts/rules/login-ports.ts'
import { limitConcurrency } from '../platform/rules/limit-concurrency.ts'

/**
 * Authorisations that run at the same time; more would delay other requests. With two round trips of 80 ms each, this
 * allows 1,600 a second.
 */
const AUTHORISATIONS_AT_ONCE = 256

export type AuthorisedUser = {
  accountId: string
  /** The login session. */
  sessionId: string
  /** The page load; null when the client does not name one. */
  visit: string | null
}
/** The user of a connection that negotiate has promised, or that exists. */
export type ConnectionOwner = AuthorisedUser & {
  id: string
  token: string
  /** The client requested stateful reconnect in negotiate. */
  isStateful: boolean
}
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
