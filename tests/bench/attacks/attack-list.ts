import { sendByteByByte } from '../../support/attacks/byte-frames.ts'
import { hubTokenOf } from '../../support/attacks/hub-tokens.ts'
import { floodNegotiate } from '../../support/attacks/negotiate-flood.ts'
import type { Outcomes } from '../../support/attacks/outcomes.ts'
import { sendBombs } from '../../support/attacks/query-and-cookie-bombs.ts'
import { floodSignIn } from '../../support/attacks/sign-in-flood.ts'
import { holdSilentHandshakes } from '../../support/attacks/silent-handshakes.ts'
import { holdSlowHeaders } from '../../support/attacks/slow-headers.ts'
import { holdUnreadAnswers } from '../../support/attacks/slow-readers.ts'
import { holdUnfinishedJson } from '../../support/attacks/unfinished-json.ts'
import { type SignedInVisitor, signIn } from '../../support/server.ts'

export type Attack = {
  what: string
  /** Settings of the server that it needs. */
  env?: Record<string, string>
  /** Signs in and so on; what it returns is the attack itself, the only thing that is measured. */
  prepare(origin: string): Promise<() => Promise<Outcomes>>
  /** It is cut off after this. */
  atMostMs: number
}

const MINUTE_MS = 60_000
/** The attackers' addresses are named by a proxy on this machine. */
const proxied = { TRUST_PROXY: '127.0.0.1' }

/** So many people, each with an address of their own. */
async function peopleOf(origin: string, count: number): Promise<SignedInVisitor[]> {
  const people: SignedInVisitor[] = []
  for (let index = 0; index < count; index += 1)
    people.push(await signIn({ origin }, { email: `attacker${index}@example.org`, address: `10.66.0.${index}` }))
  return people
}

const tokensOf = (people: readonly SignedInVisitor[]) => Promise.all(people.map(hubTokenOf))

/** Attacks no product: it shows what an attacker's own work costs on this machine. */
const bareFlood: Attack = {
  what: 'requests as fast as they are answered, 64 at once, 15 s',
  prepare: async (origin) => () => floodNegotiate(origin, { lanes: 64, forMs: 15_000 }),
  atMostMs: MINUTE_MS,
}

/** In the order of the table. */
export const attacks: Record<string, Attack> = {
  'bare-flood': bareFlood,
  'slow-headers': {
    what: '1,500 sockets that send a header line a second and never end',
    prepare: async (origin) => () => holdSlowHeaders(origin, { sockets: 1_500, everyMs: 1_000, forMs: 25_000 }),
    atMostMs: MINUTE_MS,
  },
  'slow-readers': {
    what: '900 sockets of one address that ask 5 times each and read nothing',
    prepare: async (origin) => () =>
      holdUnreadAnswers(origin, { sockets: 900, path: '/dev-identity', requestsEach: 5, forMs: 20_000 }),
    atMostMs: MINUTE_MS,
  },
  'silent-handshakes': {
    what: '1,000 hub sockets of 100 accounts without a handshake',
    env: proxied,
    async prepare(origin) {
      const tokens = await tokensOf(await peopleOf(origin, 100))
      return () => holdSilentHandshakes(origin, { tokens, socketsPerAccount: 10, forMs: 25_000 })
    },
    atMostMs: MINUTE_MS,
  },
  'negotiate-flood': {
    what: 'negotiate as fast as it answers, 64 at once, 15 s',
    async prepare(origin) {
      const [token = ''] = await tokensOf(await peopleOf(origin, 1))
      return () => floodNegotiate(origin, { token, lanes: 64, forMs: 15_000 })
    },
    atMostMs: MINUTE_MS,
  },
  'request-flood': {
    what: '900 connections of one address ask as fast as they are answered, 15 s',
    prepare: async (origin) => () => floodNegotiate(origin, { lanes: 900, forMs: 15_000 }),
    atMostMs: MINUTE_MS,
  },
  'sign-in-flood': {
    what: 'new people sign in from ever new addresses, 32 at once, 15 s',
    env: proxied,
    prepare: async (origin) => () => floodSignIn(origin, { lanes: 32, forMs: 15_000, addresses: true }),
    atMostMs: MINUTE_MS,
  },
  'forged-sign-in-flood': {
    what: 'sign-in with forged tokens, 32 at once, 15 s',
    prepare: async (origin) => () => floodSignIn(origin, { lanes: 32, forMs: 15_000, forged: true }),
    atMostMs: MINUTE_MS,
  },
  'query-and-cookie-bombs': {
    what: '3,000 requests with the longest and oddest queries and cookies, 32 at once',
    prepare: async (origin) => () => sendBombs(origin, { lanes: 32, times: 3_000, cookieName: 'profile' }),
    atMostMs: MINUTE_MS,
  },
  'unfinished-json': {
    what: '900 log batches of 500 KB, each without its last byte, from as many addresses',
    env: proxied,
    prepare: async (origin) => () =>
      holdUnfinishedJson(origin, { requests: 900, bytes: 500_000, holdMs: 15_000, addresses: true }),
    atMostMs: MINUTE_MS,
  },
  'byte-packets': {
    what: '50 hub sockets of 5 accounts send 60 KB frames a byte a packet',
    env: proxied,
    async prepare(origin) {
      const tokens = await tokensOf(await peopleOf(origin, 5))
      return () =>
        sendByteByByte(origin, { tokens, socketsPerAccount: 10, kind: 'packets', bytes: 20_000, holdMs: 5_000 })
    },
    atMostMs: 2 * MINUTE_MS,
  },
  'byte-fragments': {
    what: '50 hub sockets of 5 accounts send messages of 16,000 one-byte fragments',
    env: proxied,
    async prepare(origin) {
      const tokens = await tokensOf(await peopleOf(origin, 5))
      return () =>
        sendByteByByte(origin, { tokens, socketsPerAccount: 10, kind: 'fragments', bytes: 16_000, holdMs: 5_000 })
    },
    atMostMs: 2 * MINUTE_MS,
  },
}
