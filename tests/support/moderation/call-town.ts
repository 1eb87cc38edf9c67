import { HOUR_MS } from '#protocol/durations.ts'
import type { KeptCalls, Origin } from '../../../server/moderation/rules/outside-calls.ts'

/** Accounts and their kept calls, in memory. */
export type CallTown = {
  calls: KeptCalls
  /** Adds `count` accounts of networks and hours of their own, unless `origin` says otherwise. Returns their ids. */
  add(name: string, count: number, origin?: (index: number) => Partial<Origin>): string[]
  call(one: string, other: string): void
  partnersOf(id: string): number
}

export function callTown(): CallTown {
  const origins = new Map<string, Origin>()
  const partners = new Map<string, Set<string>>()
  return {
    calls: {
      partnersOf: async (ids) => new Map(ids.map((id) => [id, partners.get(id) ?? new Set()])),
      originsOf: async (ids) => ids.flatMap((id) => origins.get(id) ?? []),
      callers: async (most) => Math.min(most, [...partners.values()].filter(({ size }) => size > 0).length),
    },
    add(name, count, origin = () => ({})) {
      const ids = Array.from({ length: count }, (_, index) => `${name} ${index}`)
      for (const [index, id] of ids.entries()) {
        const own = {
          id,
          provider: 'Google',
          createdAt: origins.size * HOUR_MS,
          networks: [`network of ${id}`],
        } as const
        origins.set(id, { ...own, ...origin(index) })
        partners.set(id, new Set())
      }
      return ids
    },
    call(one, other) {
      if (one === other) return
      partners.get(one)?.add(other)
      partners.get(other)?.add(one)
    },
    partnersOf: (id) => partners.get(id)?.size ?? 0,
  }
}

/** Every account of `some` holds calls with `each` random ones of `others`. */
export function mix(
  town: CallTown,
  some: readonly string[],
  others: readonly string[],
  each: number,
  random: () => number,
): void {
  for (const one of some)
    for (let call = 0; call < each; call += 1) town.call(one, others[Math.floor(random() * others.length)] ?? one)
}

/** Every account holds a call with the `half` next and the `half` before it in a ring: the fewest calls that give each as many partners. */
export function ring(town: CallTown, accounts: readonly string[], half: number): void {
  for (const [index, one] of accounts.entries())
    for (let step = 1; step <= half; step += 1) town.call(one, accounts[(index + step) % accounts.length] ?? one)
}
