/** For each account that was read, the accounts with which it held kept calls. */
export type CallGraph = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Most accounts that are read around a reporter, in all and at once. More than twice `CIRCLE_MAX`, so that accounts
 * outside a circle are read too.
 */
const READ_MAX = 520
const READ_AT_ONCE = 130

/** A community of more accounts than this is no closed circle. */
export const CIRCLE_MAX = 250
/** A community of at most this many accounts may be closed even if it holds more than half of all callers. */
const CIRCLE_SMALL = 50
/**
 * A community is closed if at most this share of its members' kept calls were with others. An account with a greater
 * share of such calls is no member, except `start`.
 */
const CIRCLE_OPEN = 1 / 3

/** In each step of the random walk, this share begins again at its start. After `STEPS` steps, further steps change no order. */
const RESTART = 0.1
const STEPS = 25
/** Most rounds of exchanges. A circle of `CIRCLE_MAX` in which each account calls its nearest few takes about a hundred rounds. */
const EXCHANGES = 150

/** Reads the kept calls around an account. The accounts that have kept calls with the most of the accounts read so far are read next. */
export async function exploreCalls(
  start: string,
  read: (ids: readonly string[]) => Promise<CallGraph>,
): Promise<CallGraph> {
  const graph = new Map<string, ReadonlySet<string>>()
  let next = [start]
  while (next.length > 0) {
    const found = await read(next)
    for (const id of next) graph.set(id, found.get(id) ?? new Set())
    const known = new Map<string, number>()
    for (const partners of graph.values())
      for (const partner of partners) if (!graph.has(partner)) known.set(partner, (known.get(partner) ?? 0) + 1)
    const room = Math.min(READ_AT_ONCE, READ_MAX - graph.size)
    next = [...known]
      .sort(([, one], [, other]) => other - one)
      .slice(0, Math.max(0, room))
      .map(([id]) => id)
  }
  return graph
}

/**
 * The accounts that were read, numbered from 0, the number of `start`. For each account: its id, the numbers of those
 * of its partners that were read, and the count of all its partners.
 */
type Numbered = { ids: readonly string[]; partners: readonly (readonly number[])[]; ends: readonly number[] }

function numbered(graph: CallGraph): Numbered {
  const ids = [...graph.keys()]
  const numbers = new Map(ids.map((id, number) => [id, number]))
  const sets = [...graph.values()]
  return {
    ids,
    partners: sets.map((partners) => [...partners].flatMap((id) => numbers.get(id) ?? [])),
    ends: sets.map(({ size }) => size),
  }
}

/**
 * Returns accounts, nearest first: ordered by a random walk over kept calls that begins again at `start` (personalised
 * PageRank, divided by the number of calls). `start` and accounts that the walk does not reach are left out. The walk
 * does not continue at accounts that were not read.
 */
function nearest({ partners, ends }: Numbered): number[] {
  let shares = new Float64Array(ends.length)
  shares[0] = 1
  for (let step = 0; step < STEPS; step += 1) {
    const next = new Float64Array(ends.length)
    next[0] = RESTART
    for (const [account, own] of partners.entries()) {
      const passed = ((1 - RESTART) * (shares[account] ?? 0)) / (ends[account] || 1)
      if (passed > 0) for (const partner of own) next[partner] = (next[partner] ?? 0) + passed
    }
    shares = next
  }
  const rank = (account: number) => (shares[account] ?? 0) / (ends[account] ?? 1)
  return [...ends.keys()].filter((account) => account > 0 && rank(account) > 0).sort((a, b) => rank(b) - rank(a))
}

/** `open` is the share of the members' kept calls that were with others. */
type Community = { members: ReadonlySet<number>; open: number }

function communityOf(members: ReadonlySet<number>, { partners, ends }: Numbered): Community {
  let all = 0
  let inside = 0
  for (const member of members) {
    all += ends[member] ?? 0
    for (const partner of partners[member] ?? []) if (members.has(partner)) inside += 1
  }
  return { members, open: all === 0 ? 1 : 1 - inside / all }
}

/** Forms a community of `start` and its nearest accounts, of each size up to `most`. Returns the one with the smallest `open`. */
function leastOpen(graph: Numbered, most: number): Community {
  const { partners, ends } = graph
  const members = new Set([0])
  let all = ends[0] ?? 0
  let inside = 0
  let best = { size: 1, open: 1 }
  for (const account of nearest(graph).slice(0, most - 1)) {
    for (const partner of partners[account] ?? []) if (members.has(partner)) inside += 2
    members.add(account)
    all += ends[account] ?? 0
    const open = 1 - inside / all
    if (open <= best.open) best = { size: members.size, open }
  }
  return { members: new Set([...members].slice(0, best.size)), open: best.open }
}

/**
 * Adds accounts of whose kept calls at least `CIRCLE_OPEN` were with members, and removes other members except `start`,
 * until nothing changes.
 */
function exchanged(community: Community, graph: Numbered): Community {
  const { partners, ends } = graph
  let { members } = community
  for (let round = 0; round < EXCHANGES; round += 1) {
    const next = new Set([0])
    for (const [account, own] of partners.entries()) {
      const inside = own.reduce((count, partner) => count + Number(members.has(partner)), 0)
      if (inside > 0 && inside >= CIRCLE_OPEN * (ends[account] ?? 0)) next.add(account)
    }
    const isSame = next.size === members.size && [...next].every((account) => members.has(account))
    members = next
    if (isSame) break
  }
  return communityOf(members, graph)
}

/**
 * Returns the community of the account that was read first if at most `CIRCLE_OPEN` of its members' kept calls were
 * with others; empty otherwise. `callers` is the number of all accounts with kept calls: a community of more than half
 * of them is the public, unless it has at most `CIRCLE_SMALL` members. This is local clustering: a sweep over
 * personalised PageRank (Andersen, Chung and Lang, 2006), followed by exchanges.
 */
export function closedCircle(graph: CallGraph, callers: number): ReadonlySet<string> {
  const accounts = numbered(graph)
  const most = Math.max(CIRCLE_SMALL, Math.min(CIRCLE_MAX, Math.floor(callers / 2)))
  const first = leastOpen(accounts, most)
  const community = exchanged(first, accounts)
  for (const { members, open } of [community, first])
    if (members.size > 1 && members.size <= most && open <= CIRCLE_OPEN)
      return new Set([...members].flatMap((member) => accounts.ids[member] ?? []))
  return new Set()
}
