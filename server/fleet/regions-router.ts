import type { FastifyBaseLogger } from 'fastify'
import type { Connection } from '../hub/connection.ts'
import type { ConnectionHandlers, LocalHub } from '../hub/hub-router.ts'
import type { Invocation } from '../hub/messages.ts'
import type { MatchRecord } from '../matching/rules/ports.ts'
import { type Clock, pause, withinMs } from '../platform/rules/clock.ts'
import { FleetRouter } from './fleet-router.ts'
import type { LocalConnections } from './local-connections.ts'
import { isOutage, type PoolReply } from './pool.ts'
import type { RedisFleet } from './redis-fleet.ts'
import { GuestRegion, type Region } from './region.ts'
import { type HomeFound, isJoin } from './route.ts'

/** Time for the Redis of another region to reply. */
const MEET_MS = 2_000
/** Longest wait for other regions when this server starts. */
const START_MS = 3_000
const LOOK_AFTER_MS = 1_000
/** How often a search is tried in another region: once a second after `LOOK_AFTER_MS`, then no more. */
const LOOKS_MAX = 60
/** Matches in one step of `claimOrphans`. */
const CLAIM_COUNT = 500

type Options = {
  /** This server's region, and its pool. */
  name: string
  fleet: RedisFleet
  others: readonly { name: string; fleet: RedisFleet }[]
  spillAfterMs: number
  clock: Clock
  log: FastifyBaseLogger
}

type Search = { since: number; looks: number }
/** Regions that could not be told of a connection, and the number of the connection. */
type Untold = Map<Region, number>

/**
 * Makes regions, each with a Redis, a single hub. A user is in the pool of a single region: the region of the server
 * with the connection or, after a search in vain, the first region by name, where all users of such searches meet. A
 * user with connections in two regions keeps the newer connection.
 */
export class RegionsRouter extends FleetRouter implements Region {
  readonly name: string
  readonly fleet: RedisFleet
  readonly #options: Options
  readonly #guests: readonly GuestRegion[]
  /** The connections of this server in the pool of its region whose users may search. */
  readonly #searches = new Map<Connection, Search>()
  readonly #untold = new Map<Connection, Untold>()
  /** By connection: its number in the pool of its user. */
  readonly #orders = new WeakMap<Connection, number>()

  constructor(options: Options) {
    super(options)
    const { name, fleet, others, clock, log } = options
    this.#options = options
    this.name = name
    this.fleet = fleet
    this.#guests = others.map((other) => {
      const region: GuestRegion = new GuestRegion({
        ...other,
        clock,
        log,
        attach: (connection) => this.#attachIn(region, connection, false),
      })
      return region
    })
  }

  override async start(hub: LocalHub): Promise<ConnectionHandlers> {
    await super.start(hub)
    const { clock } = this.#options
    await Promise.race([Promise.all(this.#guests.map((guest) => guest.start(hub))), pause(clock, START_MS)])
    return {
      opened: (connection) => this.#opened(connection),
      invoked: (connection, invocation) => this.#invoked(connection, invocation),
      dropped: (connection) => this.#connectionsOf(connection).dropped(connection),
      resumed: (connection) => this.#connectionsOf(connection).resumed(connection),
      closedByClient: (connection) => this.#connectionsOf(connection).closedByClient(connection),
      closed: (connection) => this.#closed(connection),
    }
  }

  override get hearsOthers(): boolean {
    return super.hearsOthers && this.#guests.every(({ fleet }) => fleet.isAvailable)
  }

  override sweep(now: number): void {
    super.sweep(now)
    for (const guest of this.#guests) guest.sweep(now)
    for (const [connection, untold] of this.#untold)
      for (const [region, order] of untold) if (region.fleet.isAvailable) this.#tellLate(region, connection, order)
    const target = this.#spillTarget()
    if (!target) return
    for (const [connection, search] of this.#searches)
      if (now - search.since >= LOOK_AFTER_MS) void this.#spill(connection, search, target)
  }

  /**
   * Resolves with the open matches that this region may adopt after its servers and its Redis began anew: the matches
   * that no other region has. Resolves with none while a region is away, since that region may have the matches.
   */
  async claimOrphans(matches: MatchRecord[]): Promise<MatchRecord[]> {
    const { name: region, log } = this.#options
    let ids = matches.map(({ id }) => id)
    // All regions use the same order: of two regions that claim at the same time, one gets all matches.
    const all = [this, ...this.#guests].sort((one, other) => (one.name < other.name ? -1 : 1))
    for (const { name, fleet } of all) {
      if (!fleet.isAvailable) {
        log.warn({ region: name, matches: ids.length }, 'fleet: open matches are not adopted while a region is away')
        return []
      }
      const claimed: string[] = []
      for (let from = 0; from < ids.length; from += CLAIM_COUNT) {
        const some = ids.slice(from, from + CLAIM_COUNT)
        claimed.push(...((await fleet.between('claim', { region, isOwn: name === region, ids: some })).ids ?? []))
      }
      ids = claimed
    }
    const isClaimed = new Set(ids)
    return matches.filter(({ id }) => isClaimed.has(id))
  }

  override stopRetries(): void {
    super.stopRetries()
    for (const { fleet } of this.#guests) fleet.stopRetries()
  }

  protected override attach(connection: Connection, isReattached: boolean): Promise<HomeFound> {
    return this.#attachIn(this, connection, !isReattached)
  }

  override async leave(): Promise<void> {
    await Promise.all(this.#guests.map((guest) => guest.stop()))
    await super.leave()
  }

  #guestOf(connection: Connection): GuestRegion | undefined {
    return this.#guests.find(({ connections }) => connections.has(connection))
  }

  #connectionsOf(connection: Connection): LocalConnections {
    return this.#guestOf(connection)?.connections ?? this.connections
  }

  #opened(connection: Connection): void {
    this.#noteSearch(connection)
    this.connections.opened(connection)
  }

  #invoked(connection: Connection, invocation: Invocation): Promise<void> | undefined {
    const guest = this.#guestOf(connection)
    if (!guest) {
      if (isJoin(invocation)) this.#noteSearch(connection)
      return this.connections.invoked(connection, invocation)
    }
    // A new search begins in this server's region.
    const held = isJoin(invocation) ? guest.connections.hold(connection) : null
    const handled = guest.connections.invoked(connection, invocation)
    if (held)
      void this.#step(guest, 'depart', connection).then((reply) => {
        if (!reply?.taken) return held.stay()
        this.#noteSearch(connection)
        return held.move(this.connections)
      })
    return handled
  }

  #closed(connection: Connection): void {
    this.#searches.delete(connection)
    this.#untold.delete(connection)
    // Released first: once the home server learns of the end, it may forget the user.
    void this.#step(this.#guestOf(connection) ?? this, 'release', connection)
    this.#connectionsOf(connection).closed(connection)
  }

  #noteSearch(connection: Connection): void {
    this.#searches.set(connection, { since: this.#options.clock.now(), looks: 0 })
  }

  /** The region where users of all regions meet; null when it is this server's region. */
  #spillTarget(): GuestRegion | null {
    const { name } = this.#options
    const live = this.#guests.filter(({ fleet }) => fleet.hasHomeServers)
    const [first] = live.sort((one, other) => (one.name < other.name ? -1 : 1))
    return first && first.name < name ? first : null
  }

  /** Moves a user from the own region's queue to the pool of `target`. */
  async #spill(connection: Connection, search: Search, target: GuestRegion): Promise<void> {
    if (!this.fleet.isAvailable || this.#guestOf(connection)) return
    const held = this.connections.hold(connection)
    if (!held) return
    const { spillAfterMs: spillAfter } = this.#options
    const reply = await this.#step(this, 'spill', connection, { spillAfter })
    if (this.#searches.get(connection) === search) {
      search.looks += 1
      if (reply?.taken || reply?.refused || search.looks >= LOOKS_MAX) this.#searches.delete(connection)
    }
    if (!reply?.taken) held.stay()
    // The user may be in no queue; the page reconnects and joins again.
    if (!reply) connection.close({ allowReconnect: true })
    if (!reply?.taken) return
    const join = { target: 'InitiateMatchingWithPeers', arguments: [connection.id, '[]'], id: null, streams: false }
    held.move(target.connections, join)
  }

  /**
   * Gives the user a home server in that region and tells the other regions. With `mayFollow`, a user whose state is in
   * another region gets a home server there instead.
   */
  async #attachIn(region: Region, connection: Connection, mayFollow: boolean): Promise<HomeFound> {
    const { accountId, visit } = connection
    this.#untold.delete(connection)
    const { home, order, isKnown } = await region.fleet.attach(accountId, visit)
    this.#orders.set(connection, order)
    const others = [this, ...this.#guests].filter(({ name }) => name !== region.name)
    const displace = isKnown || !mayFollow
    const replies = await Promise.all(others.map((other) => this.#meet(other, connection, order, displace)))
    const newer = replies.find(({ refused }) => refused)
    if (newer) return () => connection.close(newer.known ? { allowReconnect: true } : { error: 'replaced' })
    const other = others[replies.findIndex(({ taken }) => taken)]
    if (!other) return { home, order }
    return () => {
      region.fleet.forget(accountId)
      region.connections.handOver(connection, other.connections)
    }
  }

  async #meet(region: Region, connection: Connection, order: number, displace: boolean): Promise<PoolReply> {
    const { accountId: user, visit } = connection
    const { clock, log } = this.#options
    const onLate = () => new Error('the Redis of a region does not reply')
    try {
      if (!region.fleet.isAvailable) throw new Error('the Redis of a region is away')
      const args = { user, order, displace, ...(visit !== null && { visit }) }
      return await withinMs(region.fleet.between('meet', args), { clock, ms: MEET_MS, onLate })
    } catch (error) {
      log.info({ err: error, region: region.name, connection: connection.id }, 'fleet: a region could not be told')
      const untold = this.#untold.get(connection) ?? new Map<Region, number>()
      this.#untold.set(connection, untold.set(region, order))
      return {}
    }
  }

  #tellLate(region: Region, connection: Connection, order: number): void {
    const untold = this.#untold.get(connection)
    untold?.delete(region)
    if (untold?.size === 0) this.#untold.delete(connection)
    void this.#meet(region, connection, order, true).then(({ refused }) => {
      if (refused) connection.close({ error: 'replaced' })
    })
  }

  /** Resolves with null when Redis does not reply; the step may have been done. */
  async #step(
    { fleet }: Region,
    step: 'spill' | 'depart' | 'release',
    connection: Connection,
    args: Record<string, unknown> = {},
  ): Promise<PoolReply | null> {
    try {
      const order = this.#orders.get(connection) ?? 0
      return await fleet.between(step, { user: connection.accountId, order, ...args })
    } catch (error) {
      if (!isOutage(error)) this.#options.log.error({ err: error }, 'fleet: a user could not be moved between regions')
      return null
    }
  }
}
