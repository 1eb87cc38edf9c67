import { once } from 'node:events'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import type { HubArguments, HubEvent, HubMethod } from '#protocol/hub.ts'
import { StateChanges } from '../state-changes.ts'
import { tokenOf } from './hub-fakes.ts'
import { negotiateResponseSchema } from './negotiate-response.ts'

/** A hub client that sends and receives raw frames, so that a test sees each message as it is on the wire. */

const END = '\u001e'
const messageSchema = v.looseObject({ type: v.optional(v.number()) })
const invocationSchema = v.object({ type: v.literal(1), target: v.string(), arguments: v.array(v.unknown()) })
const completionSchema = v.looseObject({ type: v.literal(3), invocationId: v.string(), error: v.optional(v.string()) })
const closeSchema = v.looseObject({ type: v.literal(7) })
const matchedSchema = v.tuple([v.picklist(['Caller', 'Callee']), v.string(), v.string()])

type Message = v.InferOutput<typeof messageSchema>
export type Match = { role: 'Caller' | 'Callee'; session: string; peer: string }

export async function negotiate(url: string, account: string, query = 'negotiateVersion=1') {
  const headers = { authorization: `Bearer ${tokenOf(account)}` }
  const response = await fetch(`${url}/negotiate?${query}`, { method: 'POST', headers })
  return { response, body: v.parse(negotiateResponseSchema, await response.json()) }
}

/** Resolves with the status of a refused upgrade, or 101. An open socket stays open until `held` is aborted. */
export function upgradeStatus(url: string, headers: Record<string, string> = {}, held?: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0)
      response.resume()
      socket.terminate()
    })
    socket.on('open', () => {
      resolve(101)
      if (held) held.addEventListener('abort', () => socket.terminate())
      else socket.terminate()
    })
    socket.on('error', () => undefined)
  })
}

export class RawClient {
  readonly socket: WebSocket
  readonly account: string
  readonly frames: string[] = []
  readonly messages: Message[] = []
  readonly closed: Promise<unknown>
  id = ''
  #buffer = ''
  #invocations = 0
  readonly #changes = new StateChanges()

  constructor(socket: WebSocket, account: string) {
    this.socket = socket
    this.account = account
    // Resolves after an error too, which rejects the promise of `dial` or `until`.
    this.closed = new Promise((resolve) => socket.once('close', resolve)).then(() => this.#changes.notify())
    socket.on('error', () => undefined)
    socket.on('message', (data) => {
      const text = String(data)
      this.frames.push(text)
      const parts = (this.#buffer + text).split(END)
      this.#buffer = parts.pop() ?? ''
      this.messages.push(...parts.map((part) => v.parse(messageSchema, JSON.parse(part))))
      this.#changes.notify()
    })
  }

  /** `query` goes with negotiate and socket, as a page's own parameters do. */
  static async open(url: string, account: string, query = ''): Promise<RawClient> {
    const { response, body } = await negotiate(url, account, `negotiateVersion=1&${query}`)
    if (!response.ok) throw new Error(`negotiate was refused with ${response.status}`)
    return RawClient.dial(`${url}?${query}&id=${body.connectionToken}&access_token=${tokenOf(account)}`, account)
  }

  static async dial(address: string, account: string): Promise<RawClient> {
    const socket = new WebSocket(address.replace(/^http/, 'ws'))
    const client = new RawClient(socket, account)
    await once(socket, 'open')
    return client
  }

  /** Resolves with a connected client: handshake done, connection id received. */
  static async connect(url: string, account: string, query = ''): Promise<RawClient> {
    const client = await RawClient.open(url, account, query)
    client.send({ protocol: 'json', version: 1 })
    await client.#idReceived()
    return client
  }

  /** The same with version 2 of the protocol. A client pings once it has its buffer. */
  static async connectStateful(url: string, account: string, query = ''): Promise<RawClient> {
    const client = await RawClient.open(url, account, `useStatefulReconnect=true&${query}`)
    client.send({ protocol: 'json', version: 2 })
    client.send({ type: 6 })
    await client.#idReceived()
    return client
  }

  /** Attaches another socket to the same connection; `sequenceId` is the first message that the server may have missed, `address` where it dials. */
  async reattach(sequenceId: number, address = this.address): Promise<RawClient> {
    const client = await RawClient.dial(address, this.account)
    client.id = this.id
    client.#invocations = this.#invocations
    client.send({ type: 9, sequenceId })
    return client
  }

  async #idReceived(): Promise<void> {
    const [id] = await this.event('OnUserConnected')
    this.id = v.parse(v.string(), id)
  }

  /** The messages that count in the sequence of version 2. */
  get tracked(): Message[] {
    return this.messages.filter(({ type = 0 }) => type >= 1 && type <= 5)
  }

  /** The number of invocations, which is that of its last message in the sequence of version 2. */
  get invoked(): number {
    return this.#invocations
  }

  /** The address of its WebSocket, for an upgrade by hand. */
  get address(): string {
    return this.socket.url.replace(/^ws/, 'http')
  }

  send(...messages: unknown[]): void {
    this.raw(messages.map((message) => JSON.stringify(message) + END).join(''))
  }

  raw(text: string): void {
    this.socket.send(text)
  }

  /** Sends an invocation of any target and resolves with the error of its completion, or null. */
  async invokeAny(target: string, ...args: unknown[]): Promise<string | null> {
    this.#invocations += 1
    const invocationId = `i${this.#invocations}`
    this.send({ type: 1, invocationId, target, arguments: args })
    const completion = await this.find(completionSchema, (one) => one.invocationId === invocationId)
    return completion.error ?? null
  }

  invoke<M extends HubMethod>(method: M, ...args: HubArguments<M>): Promise<string | null> {
    return this.invokeAny(method, ...args)
  }

  /** Resolves with the arguments of the nth event of this name. */
  async event(name: HubEvent, nth = 1): Promise<unknown[]> {
    await this.until(() => this.events(name).length >= nth)
    return this.events(name)[nth - 1] ?? []
  }

  events(name: HubEvent): unknown[][] {
    return this.messages.flatMap((message) =>
      v.is(invocationSchema, message) && message.target === name ? [message.arguments] : [],
    )
  }

  /** Resolves with the hub's Close message. */
  close(): Promise<Message> {
    return this.find(closeSchema, () => true)
  }

  async find<S extends v.GenericSchema>(schema: S, fits: (found: v.InferOutput<S>) => boolean) {
    const all = () =>
      this.messages.flatMap((message) => {
        const parsed = v.safeParse(schema, message)
        return parsed.success && fits(parsed.output) ? [parsed.output] : []
      })
    await this.until(() => all().length > 0)
    const [found] = all()
    if (found === undefined) throw new Error('the message is gone')
    return found
  }

  /** Resolves when everything that the hub had sent to this client has been received. */
  async settled(): Promise<void> {
    await this.invokeAny('NoSuchMethod')
  }

  join(): Promise<string | null> {
    return this.invoke('InitiateMatchingWithPeers', this.id, '[]')
  }

  async matched(nth = 1): Promise<Match> {
    const [role, session, peer] = v.parse(matchedSchema, await this.event('OnUserMatched', nth))
    return { role, session: session, peer }
  }

  /** Terminates the socket without a Close message, as a broken network does. */
  async cut(): Promise<void> {
    this.socket.terminate()
    await this.closed
  }

  /** Sends a Close message, as the official client's `stop` does. */
  async leave(): Promise<void> {
    this.send({ type: 7 })
    await this.closed
  }

  /** Resolves when `holds` returns true, and rejects when the socket is closed before. */
  until(holds: () => boolean): Promise<void> {
    return this.#changes.until(() => {
      if (holds()) return true
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('the connection ended')
      return false
    })
  }
}

/** Two people in a match; the Caller first. */
export function matchedPair(url: string, one: string, other: string) {
  return matchedWith(RawClient.connect, url, one, other)
}

/** The same with version 2 of the protocol. */
export function statefulPair(url: string, one: string, other: string) {
  return matchedWith(RawClient.connectStateful, url, one, other)
}

async function matchedWith(connect: typeof RawClient.connect, url: string, one: string, other: string) {
  const [first, second] = await Promise.all([connect(url, one), connect(url, other)])
  await Promise.all([first.join(), second.join()])
  const [match] = await Promise.all([first.matched(), second.matched()])
  const [caller, callee] = match.role === 'Caller' ? [first, second] : [second, first]
  return { caller, callee, session: match.session }
}
