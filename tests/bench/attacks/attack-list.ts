import { MINUTE_MS } from '#protocol/durations.ts'
import { floodNegotiate } from '../../support/attacks/negotiate-flood.ts'
import type { Attack, Attacks } from './attack.ts'
import { bodyAttacks } from './body-attacks.ts'
import { httpAttacks } from './http-attacks.ts'
import { hubAttacks } from './hub-attacks.ts'
import { memberAttacks } from './member-attacks.ts'

/** Attacks no product: it shows what an attacker's own work costs on this machine. */
export const bareFlood: Attack = {
  what: 'requests as fast as they are answered, 64 at once, 15 s',
  prepare: async (origin) => () => floodNegotiate(origin, { lanes: 64, forMs: 15_000 }),
  atMostMs: MINUTE_MS,
}

/** In the order of the table. */
export const attacks: Attacks = { ...bodyAttacks, ...httpAttacks, ...hubAttacks, ...memberAttacks }
