import { MINUTE_MS } from '#protocol/durations.ts'
import { floodNegotiate } from '../../support/attacks/negotiate-flood.ts'
import { pipelineRequests } from '../../support/attacks/pipelined-requests.ts'
import { sendBombs } from '../../support/attacks/query-and-cookie-bombs.ts'
import { floodSignIn } from '../../support/attacks/sign-in-flood.ts'
import { holdSlowHeaders } from '../../support/attacks/slow-headers.ts'
import { holdUnreadAnswers } from '../../support/attacks/slow-readers.ts'
import { type Attacks, proxied } from './attack.ts'

/** Attacks that need no login. */
export const httpAttacks: Attacks = {
  'slow-headers': {
    what: '1,500 sockets that send a header line a second and never end',
    prepare: async (origin) => () => holdSlowHeaders(origin, { sockets: 1_500, everyMs: 1_000, forMs: 25_000 }),
    atMostMs: MINUTE_MS,
  },
  'slow-readers': {
    what: '900 sockets of one address that send 5 requests each and read nothing',
    prepare: async (origin) => () =>
      holdUnreadAnswers(origin, { sockets: 900, path: '/dev-identity', requestsEach: 5, forMs: 20_000 }),
    atMostMs: MINUTE_MS,
  },
  'request-flood': {
    what: '900 connections of one address send requests as fast as the server responds, 15 s',
    prepare: async (origin) => () => floodNegotiate(origin, { lanes: 900, forMs: 15_000 }),
    atMostMs: MINUTE_MS,
  },
  pipelining: {
    what: '20,000 requests on one connection without waiting for responses, ten times',
    prepare: async (origin) => async () => {
      let answered = 0
      for (let round = 0; round < 10; round += 1) answered += await pipelineRequests(origin, 20_000)
      return { answered }
    },
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
}
