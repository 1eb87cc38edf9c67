import { hubTokenOf } from '../../support/attacks/hub-tokens.ts'
import type { Outcomes } from '../../support/attacks/outcomes.ts'
import { type SignedInVisitor, signIn } from '../../support/servers/server.ts'

export type Attack = {
  what: string
  /** Settings of the server that it needs. */
  env?: Record<string, string>
  /** Bystanders sign in with a provider that fails for all other tokens, instead of the development sign-in. */
  brokenProvider?: true
  /** Signs in and so on; what it returns is the attack itself, the only thing that is measured. */
  prepare(origin: string): Promise<() => Promise<Outcomes>>
  /** It is cut off after this. */
  atMostMs: number
}

export type Attacks = Record<string, Attack>

/** The attackers' addresses are named by a proxy on this machine. */
export const proxied = { TRUST_PROXY: '127.0.0.1' }

/** So many people, each with an address of their own where the server trusts this machine. */
export async function peopleOf(origin: string, count: number): Promise<SignedInVisitor[]> {
  const people: SignedInVisitor[] = []
  for (let index = 0; index < count; index += 1)
    people.push(await signIn({ origin }, { email: `attacker${index}@example.org`, address: `10.66.0.${index}` }))
  return people
}

export const tokensOf = (people: readonly SignedInVisitor[]) => Promise.all(people.map(hubTokenOf))

/** How often each of these came. */
export function countsOf(outcomes: readonly (string | number)[]): Outcomes {
  const counts: Outcomes = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
