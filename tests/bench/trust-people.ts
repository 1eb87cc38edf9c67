import type { Role } from '#protocol/hub.ts'
import type { InvokingConnection } from '../../server/hub/user-connection.ts'
import type { Origin } from '../../server/matching/rules/trust.ts'
import type { Dice } from '../support/dice.ts'
import { MATCH_TIMEOUT_MS, SimulatedConnection, type World } from './trust-world.ts'

export const botKinds = [
  'silent',
  'silent, block each other',
  'no media',
  'black picture',
  'leaves at once',
  'looped clip',
] as const
export type Kind = 'honest' | (typeof botKinds)[number]

/** A user's way to the server and to others. */
export type Link = {
  /** Round trip to the server in milliseconds. */
  rttMs: number
  /** Share of matches in which no peer connection comes about. */
  failing: number
  /** Share of events that are acknowledged too late for a match, or never. */
  losing: number
}

/** What the product's page needs on a phone of average speed, without the network: from a match to the offer, from an offer to the answer. */
const OFFER_MS = 150
const ANSWER_MS = 250
const CONNECT_MS = 600
/** A browser acknowledges once a second. */
const ACK_MS = 1_000
const REJOIN_MS = 300
const NEXT_MS = 10_000
/** Beyond the time until Next, on average. */
const TALK_MS = 5_000
const LOOP_MS = 20_000

const sdp = 'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n'

type CurrentMatch = { id: string; role: Role; peerConnection: string; partner: Person; startedAt: number }

/** What a run has shown of one user. Times are in milliseconds. */
export type Record = {
  /** Calls in which both are honest and see each other. */
  calls: number
  /** From a wish for a match to such a call. */
  waits: number[]
  /** In searches apart, and in matches with others who wait apart that follow them. */
  slowedMs: number
}

type Deps = { world: World; dice: Dice; people: Map<string, Person> }
type Owner = { name: string; kind: Kind; origin: Origin | null; link: Link }

/** A simulated user: the product's page, or a program that fails others. */
export class Person {
  readonly name: string
  readonly kind: Kind
  readonly link: Link
  readonly record: Record = { calls: 0, waits: [], slowedMs: 0 }
  readonly #deps: Deps
  readonly #connection: SimulatedConnection & InvokingConnection
  readonly #origin: Origin | null
  #match: CurrentMatch | null = null
  #connectedMatch: CurrentMatch | null = null
  #wishedAt = 0
  #apartSince: number | null = null

  constructor({ name, kind, origin, link }: Owner, deps: Deps) {
    this.name = name
    this.kind = kind
    this.link = link
    this.#origin = origin
    this.#deps = deps
    const { world, dice } = deps
    const ackMs = () => (dice.chance(link.losing) ? null : link.rttMs + dice.next() * ACK_MS)
    const connection = new SimulatedConnection({ accountId: name, origin, ackMs }, world.clock, (event, args) =>
      this.#after(link.rttMs / 2, () => this.#receive(event, args)),
    )
    this.#connection = Object.assign(connection, { complete: () => undefined, countRateRefusal: () => undefined })
    world.roster.attach(this.#connection)
  }

  start(): void {
    this.#wishedAt = this.#deps.world.clock.now()
    this.#join()
  }

  get isApart(): boolean {
    return this.#apartSince !== null
  }

  /** Ends the time that counts as slowed, at the end of a run. */
  stop(): void {
    this.#setApart(false)
  }

  #after(ms: number, task: () => void): void {
    this.#deps.world.clock.after(ms, task)
  }

  #join(): void {
    const { matching, trust } = this.#deps.world
    void trust.apartMs(this.name, this.#origin).then((ms) => this.#setApart(ms > 0))
    // The user has another match: the search and its announcement have crossed.
    matching.join(this.#connection).catch(() => undefined)
  }

  get #answersNothing(): boolean {
    return this.kind.startsWith('silent') || this.kind === 'leaves at once'
  }

  #setApart(isApart: boolean): void {
    const now = this.#deps.world.clock.now()
    if (this.#apartSince !== null) this.record.slowedMs += now - this.#apartSince
    this.#apartSince = isApart ? now : null
  }

  #receive(event: string, args: unknown[]): void {
    const [first, second, third] = args.map(String)
    if (event === 'OnUserMatched') this.#matched(first === 'Caller' ? 'Caller' : 'Callee', second ?? '', third ?? '')
    if (event === 'SessionTerminated' && this.#match?.id === first) this.#searchAgain()
    const match = this.#match
    if (event === 'OnOfferReceived' && match && match.id === first) this.#offered(match)
  }

  #matched(role: Role, id: string, peerConnection: string): void {
    const partner = this.#deps.people.get(peerConnection.replace('connection of ', ''))
    if (!partner) throw new Error(`${peerConnection} is nobody's`)
    const match = { id, role, peerConnection, partner, startedAt: this.#deps.world.clock.now() }
    this.#match = match
    if (!partner.isApart) this.#setApart(false)
    if (this.kind === 'leaves at once') this.#after(REJOIN_MS, () => this.#leave(match))
    if (this.#answersNothing) return
    this.#deps.world.matches.of(this.name)?.setup?.spoke(role)
    if (role === 'Caller') this.#after(OFFER_MS + this.link.rttMs / 2, () => this.#describe(match, 'offer'))
    this.#after(MATCH_TIMEOUT_MS, () => this.#leave(match))
  }

  #offered(match: CurrentMatch): void {
    if (this.#answersNothing) return
    this.#after(ANSWER_MS + this.link.rttMs / 2, () => {
      if (!this.#describe(match, 'answer')) return
      const { partner } = match
      const isFailing = this.#deps.dice.chance(Math.max(this.link.failing, partner.link.failing))
      if (isFailing) return
      for (const side of [this, partner])
        side.#after(CONNECT_MS + side.link.rttMs, () => {
          const own = side.#match
          if (own?.id === match.id) side.#connected(own)
        })
    })
  }

  #describe({ id, peerConnection }: CurrentMatch, type: 'offer' | 'answer'): boolean {
    if (this.#match?.id !== id) return false
    const { HandleOffer, HandleAnswer } = this.#deps.world
    try {
      const handle = type === 'offer' ? HandleOffer : HandleAnswer
      void handle(this.#connection, [id, peerConnection, JSON.stringify({ type, sdp })])
      return true
    } catch {
      // The match has ended on the server, which is on its way to this page.
      return false
    }
  }

  /** The picture of the other side arrives, if there is one. */
  #connected(match: CurrentMatch): void {
    const { world, dice } = this.#deps
    const { partner, id } = match
    // A program says that it sees the other.
    if (this.kind === 'honest' && partner.kind === 'no media') return
    try {
      world.matches.confirm(world.matches.require(this.name, id), this.name)
    } catch {
      return
    }
    this.#connectedMatch = match
    if (this.kind !== 'honest') return
    if (partner.kind === 'honest') {
      this.record.calls += 1
      this.record.waits.push(world.clock.now() - this.#wishedAt)
    }
    const talkMs = NEXT_MS - Math.log(1 - dice.next()) * TALK_MS
    const ms = partner.kind === 'black picture' ? NEXT_MS : partner.kind === 'looped clip' ? LOOP_MS : talkMs
    this.#after(ms, () => {
      if (this.#match === match) this.#end(match)
    })
  }

  /** The page's own time limit of a match, or a program that leaves. */
  #leave(match: CurrentMatch): void {
    if (this.#match === match && this.#connectedMatch !== match) this.#end(match)
  }

  #end(match: CurrentMatch): void {
    const { matches } = this.#deps.world
    if (matches.of(this.name)?.id === match.id) matches.leave(this.name, 'a user ended it')
    this.#searchAgain()
  }

  #searchAgain(): void {
    const isAfterCall = this.#connectedMatch === this.#match && this.#match?.partner.kind === 'honest'
    if (isAfterCall) this.#wishedAt = this.#deps.world.clock.now()
    this.#match = null
    this.#after(REJOIN_MS + this.link.rttMs / 2, () => {
      if (!this.#match) this.#join()
    })
  }
}
