import { MINUTE_MS } from '#protocol/durations.ts'
import { sendByteByByte } from '../../support/attacks/byte-frames.ts'
import { floodNegotiate } from '../../support/attacks/negotiate-flood.ts'
import { holdSilentHandshakes } from '../../support/attacks/silent-handshakes.ts'
import { type Attacks, peopleOf, proxied, tokensOf } from './attack.ts'

/** Attacks on the admission to the hub and on the frames of its sockets. */
export const hubAttacks: Attacks = {
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
    what: 'negotiate as fast as the server responds, 64 at once, 15 s',
    async prepare(origin) {
      const [token = ''] = await tokensOf(await peopleOf(origin, 1))
      return () => floodNegotiate(origin, { token, lanes: 64, forMs: 15_000 })
    },
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
