import { VALID } from '#protocol/constants.ts'
import { parseProfileCookie, parseSessionCookie } from '#protocol/cookies.ts'
import type { EndpointName, EndpointOutput } from '#protocol/rest.ts'
import type { BlockState, DeletionWait, Start } from '#protocol/start.ts'
import type { Visitor } from './server.ts'

/** What a browser knows when its first screen is chosen. `onlineUsers` and the server time are left out: they change by themselves. */
export type StartOutcome = {
  session: 'new' | 'existing' | 'none'
  /** Null if no user is signed in or the profile is not confirmed. */
  nickName: string | null
  screen: 'login' | 'dashboard'
  block: BlockState | null
  deletion: DeletionWait | null
}

type Without = 'readProfileCookie' | 'validateAccessToken' | 'readBlockStatus' | 'readDeletion'

/** Sends a request like the network worker: a 401 refreshes the login once and repeats the request. Resolves with null if that fails. */
async function withLogin<N extends Without>(visitor: Visitor, name: N): Promise<EndpointOutput<N> | null> {
  const send = () => visitor.send(name as EndpointName, (name === 'readBlockStatus' ? {} : undefined) as never)
  let response = await send()
  if (response.status === 401) {
    if ((await visitor.send('refreshAccessToken', undefined)).status !== 200) return null
    response = await send()
  }
  return response.status === 200 ? ((await response.json()) as EndpointOutput<N>) : null
}

async function signedInNickName(visitor: Visitor): Promise<{ nickName: string | null; isSignedIn: boolean }> {
  const read = await withLogin(visitor, 'readProfileCookie')
  const profile = read && parseProfileCookie(read.cookieValue)
  if (!profile) return { nickName: null, isSignedIn: false }
  const { nickName } = profile
  if ((await withLogin(visitor, 'validateAccessToken'))?.message !== VALID) return { nickName, isSignedIn: false }
  return { nickName, isSignedIn: (await visitor.send('refreshAccessToken', undefined)).status === 200 }
}

/** Starts a visit with the single requests in the order of the specification: the reference for `readStart`. */
export async function startBySingleRequests(visitor: Visitor): Promise<StartOutcome> {
  await visitor.request('readServerTime', undefined)
  const { cookieValue } = await visitor.request('readSession', undefined)
  const session = parseSessionCookie(cookieValue)?.type ?? 'none'
  const login = { session, nickName: null, screen: 'login', block: null, deletion: null } as const
  if (session !== 'existing') return login
  const { nickName, isSignedIn } = await signedInNickName(visitor)
  if (!isSignedIn) return { ...login, nickName }
  const block = await withLogin(visitor, 'readBlockStatus')
  const deletion = await withLogin(visitor, 'readDeletion')
  return { session, nickName, screen: 'dashboard', block, deletion }
}

/** Starts a visit with the one request. */
export async function startByOneRequest(visitor: Visitor): Promise<StartOutcome> {
  return outcomeOf(await visitor.request('readStart', undefined))
}

export function outcomeOf({ session, profile, isSignedIn, block, deletion }: Start): StartOutcome {
  return {
    session: parseSessionCookie(session)?.type ?? 'none',
    nickName: (profile === null ? null : parseProfileCookie(profile))?.nickName ?? null,
    screen: isSignedIn ? 'dashboard' : 'login',
    block,
    deletion,
  }
}
