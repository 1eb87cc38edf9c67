import type { BlockStatus } from '#protocol/block-status.ts'
import { ACCESS_TOKEN_MS, REFRESH_GRACE_MS, REFRESH_TOKEN_MS } from '../../../server/accounts/rules/tokens.ts'
import type { MovableClock } from '../movable-clock.ts'
import { accountOf, putStatus } from '../stores/put-status.ts'
import { newVisitor, sessionOf, signIn, type TestServer, type Visitor } from './server.ts'

/** Where a visit ends: the sign-in page, the dashboard with a status, or the dashboard that shows a pending deletion. */
export type StartEnd = 'login' | BlockStatus | 'deletion'

export type StartWorld = ReturnType<typeof createStartWorld>

type StartState = { end: StartEnd; make: (world: StartWorld) => Visitor | Promise<Visitor> }

let people = 0

function without(visitor: Visitor, ...names: string[]): Visitor {
  for (const name of names) visitor.cookies.delete(name)
  return visitor
}

/** Makes people of a server for `startStates`. `foreign` is a server with other secrets. */
export function createStartWorld(server: TestServer, foreign: TestServer, clock: MovableClock) {
  function somebody(profile = true) {
    people += 1
    return signIn(server, { email: `start${people}@example.org`, profile })
  }

  function copyOf(visitor: Visitor): Visitor {
    const copy = newVisitor(server)
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
    return copy
  }

  async function withStatus(status: Exclude<BlockStatus, 'Valid'>): Promise<Visitor> {
    const person = await somebody()
    await server.edit(async (store) => putStatus(store, await accountOf(store, person.email), status))
    return person
  }

  async function restored(): Promise<Visitor> {
    const person = await somebody()
    await server.edit(async (store) => {
      const account = await accountOf(store, person.email)
      await putStatus(store, account, 'Appeal')
      await putStatus(store, { ...account, status: 'Appeal' }, 'Valid', {}, 'restored')
    })
    return person
  }

  async function deleting(): Promise<Visitor> {
    const person = await somebody()
    await person.request('deleteData', undefined)
    return signIn(server, { email: person.email })
  }

  /** A copy of the cookies from before the last refresh, `afterMs` after it. */
  async function withUsedToken(afterMs: number): Promise<Visitor> {
    const person = await somebody()
    const copy = copyOf(person)
    await person.request('refreshAccessToken', undefined)
    clock.forward(afterMs)
    return copy
  }

  async function afterPause(ms: number): Promise<Visitor> {
    const person = await somebody()
    clock.forward(ms)
    return without(person, ...(ms >= ACCESS_TOKEN_MS ? ['access'] : []))
  }

  /** A copy of somebody's cookies after this request. */
  async function copyBefore(name: 'deleteRefreshToken' | 'logout' | 'deleteData'): Promise<Visitor> {
    const person = await somebody()
    const copy = copyOf(person)
    await person.request(name, undefined)
    return copy
  }

  return {
    server,
    foreign,
    clock,
    somebody,
    copyOf,
    withStatus,
    restored,
    deleting,
    withUsedToken,
    afterPause,
    copyBefore,
  }
}

/** The states in which a visit can start, and where it ends by the specification. */
export const startStates: Record<string, StartState> = {
  'no cookies': { end: 'login', make: ({ server }) => newVisitor(server) },
  'a session cookie alone, not entered': {
    end: 'login',
    async make({ server }) {
      const visitor = newVisitor(server)
      await sessionOf(visitor)
      return visitor
    },
  },
  'a session cookie alone, entered': {
    end: 'login',
    make: async ({ somebody }) => without(await somebody(), 'access', 'refresh', 'profile'),
  },
  'cookies of a server with another secret': {
    end: 'login',
    async make({ server, foreign }) {
      const visitor = newVisitor(server)
      const there = await signIn(foreign, { email: 'there@example.org' })
      for (const [name, value] of there.cookies) visitor.cookies.set(name, value)
      return visitor
    },
  },
  'own session cookie, tokens of a server with another secret': {
    end: 'login',
    async make({ foreign, somebody }) {
      const visitor = await somebody()
      const there = await signIn(foreign, { email: 'there@example.org' })
      for (const name of ['access', 'refresh']) visitor.cookies.set(name, there.cookies.get(name) ?? '')
      return visitor
    },
  },
  'broken cookies': {
    end: 'login',
    async make({ somebody }) {
      const visitor = await somebody()
      for (const name of ['access', 'refresh', 'profile']) visitor.cookies.set(name, '%E0%A4%A')
      return visitor
    },
  },
  'signed in': { end: 'Valid', make: ({ somebody }) => somebody() },
  'access token removed by the browser, refresh token valid': {
    end: 'Valid',
    make: ({ afterPause }) => afterPause(ACCESS_TOKEN_MS),
  },
  'access token kept beyond its end': {
    end: 'Valid',
    async make({ clock, somebody }) {
      const person = await somebody()
      clock.forward(ACCESS_TOKEN_MS)
      return person
    },
  },
  'refresh token expired': { end: 'login', make: ({ afterPause }) => afterPause(REFRESH_TOKEN_MS) },
  'access token without refresh token': {
    end: 'login',
    make: async ({ somebody }) => without(await somebody(), 'refresh'),
  },
  'tokens without profile cookie': { end: 'login', make: async ({ somebody }) => without(await somebody(), 'profile') },
  'tokens without profile cookie, access token expired': {
    end: 'login',
    make: async ({ afterPause }) => without(await afterPause(ACCESS_TOKEN_MS), 'profile'),
  },
  'tokens without a profile': { end: 'login', make: ({ somebody }) => somebody(false) },
  'tokens without session cookie': { end: 'login', make: async ({ somebody }) => without(await somebody(), 'session') },
  'refresh token revoked': { end: 'login', make: ({ copyBefore }) => copyBefore('deleteRefreshToken') },
  'logged out in a copy of this browser': { end: 'login', make: ({ copyBefore }) => copyBefore('logout') },
  'refresh token used, within the grace period': {
    end: 'Valid',
    make: ({ withUsedToken }) => withUsedToken(REFRESH_GRACE_MS - 1),
  },
  'refresh token used, after the grace period': {
    end: 'login',
    make: ({ withUsedToken }) => withUsedToken(REFRESH_GRACE_MS + 1),
  },
  'a warned person': { end: 'Warning', make: ({ withStatus }) => withStatus('Warning') },
  'a suspended person': { end: 'Appeal', make: ({ withStatus }) => withStatus('Appeal') },
  'a person in review': { end: 'InReview', make: ({ withStatus }) => withStatus('InReview') },
  'a banned person': { end: 'Blocked', make: ({ withStatus }) => withStatus('Blocked') },
  'a person whose suspension ended': { end: 'Valid', make: ({ restored }) => restored() },
  'a person who asked for deletion': { end: 'deletion', make: ({ deleting }) => deleting() },
  'a person who asked for deletion, in a browser that was signed in before': {
    end: 'login',
    make: ({ copyBefore }) => copyBefore('deleteData'),
  },
}
