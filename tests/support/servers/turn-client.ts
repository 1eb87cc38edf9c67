import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

/** A minimal TURN client over UDP (RFC 8656, RFC 8489) that shows which requests a relay allows. */
export type TurnClient = {
  /** Requests a relayed address with `login`. Resolves with 'ok' or the error code. */
  allocate(login: TurnLogin): Promise<Outcome>
  /** Refreshes the allocation, with a new nonce if the server requires one, like browsers during a call. */
  refresh(): Promise<Outcome>
  /** Requests a permission for the peer `address` (IPv4). */
  permit(address: string): Promise<Outcome>
  /** Releases the allocation, like a browser that closes a peer connection; otherwise the relay keeps it for ten minutes. */
  release(): Promise<void>
  close(): void
}
export type TurnLogin = { username: string; credential: string }
type Outcome = 'ok' | number
type Attribute = [type: number, value: Buffer]
type Signature = { username: string; key: Buffer; realm: Buffer; nonce: Buffer }
type Reply = { refused: number | null; attributes: Map<number, Buffer> }

const MAGIC = 0x2112a442
const ALLOCATE = 0x0003
const REFRESH = 0x0004
const CREATE_PERMISSION = 0x0008
const REFUSAL = 0x0110
const USERNAME = 0x0006
const INTEGRITY = 0x0008
const ERROR_CODE = 0x0009
const PEER_ADDRESS = 0x0012
const LIFETIME = 0x000d
const REALM = 0x0014
const NONCE = 0x0015
const TRANSPORT = 0x0019
const UDP = Buffer.from([17, 0, 0, 0])
const STALE_NONCE = 438
/** Interval at which a request is resent until its response arrives. */
const AGAIN_MS = 100

export async function openTurnClient(port: number): Promise<TurnClient> {
  const socket = createSocket('udp4')
  // A port on which no server listens yet causes an error; the request is resent.
  socket.on('error', () => {})
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const waiting = new Map<string, (reply: Reply) => void>()
  socket.on('message', (packet) => waiting.get(packet.toString('hex', 8, 20))?.(parse(packet)))
  let signature: Signature | null = null

  function exchange(type: number, attributes: Attribute[]): Promise<Reply> {
    const id = randomBytes(12)
    const name = id.toString('hex')
    const packet = build(type, id, attributes, signature)
    return new Promise((resolve) => {
      const send = () => socket.send(packet, () => {})
      const timer = setInterval(send, AGAIN_MS)
      waiting.set(name, (reply) => {
        clearInterval(timer)
        waiting.delete(name)
        resolve(reply)
      })
      send()
    })
  }

  async function refresh(attributes: Attribute[]): Promise<Outcome> {
    const reply = await exchange(REFRESH, attributes)
    if (reply.refused !== STALE_NONCE || !signature) return outcomeOf(reply)
    signature.nonce = reply.attributes.get(NONCE) ?? signature.nonce
    return outcomeOf(await exchange(REFRESH, attributes))
  }

  return {
    async allocate({ username, credential }) {
      const transport: Attribute = [TRANSPORT, UDP]
      const { attributes } = await exchange(ALLOCATE, [transport])
      const realm = attributes.get(REALM) ?? Buffer.alloc(0)
      const nonce = attributes.get(NONCE) ?? Buffer.alloc(0)
      const key = createHash('md5').update(`${username}:${realm}:${credential}`).digest()
      signature = { username, key, realm, nonce }
      return outcomeOf(await exchange(ALLOCATE, [transport]))
    },
    refresh: () => refresh([]),
    async release() {
      if (signature) await refresh([[LIFETIME, Buffer.alloc(4)]])
    },
    async permit(address) {
      return outcomeOf(await exchange(CREATE_PERMISSION, [[PEER_ADDRESS, hidden(address)]]))
    },
    close() {
      socket.close()
    },
  }
}

function outcomeOf({ refused }: Reply): Outcome {
  return refused ?? 'ok'
}

function build(type: number, id: Buffer, own: Attribute[], signature: Signature | null): Buffer {
  if (!signature) return Buffer.concat([header(type, id, own.map(encode)), ...own.map(encode)])
  const { username, key, realm, nonce } = signature
  const body = [...own, [USERNAME, Buffer.from(username)], [REALM, realm], [NONCE, nonce]] satisfies Attribute[]
  // The signed length includes the 24 bytes of the signature.
  const signed = Buffer.concat([header(type, id, body.map(encode), 24), ...body.map(encode)])
  return Buffer.concat([signed, encode([INTEGRITY, createHmac('sha1', key).update(signed).digest()])])
}

function header(type: number, id: Buffer, body: Buffer[], more = 0): Buffer {
  const start = Buffer.alloc(8)
  start.writeUInt16BE(type, 0)
  start.writeUInt16BE(Buffer.concat(body).length + more, 2)
  start.writeUInt32BE(MAGIC, 4)
  return Buffer.concat([start, id])
}

function encode([type, value]: Attribute): Buffer {
  const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
  padded.writeUInt16BE(type, 0)
  padded.writeUInt16BE(value.length, 2)
  value.copy(padded, 4)
  return padded
}

/** The value of XOR-PEER-ADDRESS for an address, with an arbitrary port. */
function hidden(address: string): Buffer {
  if (!isIPv4(address)) throw new Error(`${address} is no IPv4 address`)
  const value = Buffer.from([0, 1, 0, 9, ...address.split('.').map(Number)])
  value.writeUInt16BE(value.readUInt16BE(2) ^ (MAGIC >>> 16), 2)
  value.writeUInt32BE((value.readUInt32BE(4) ^ MAGIC) >>> 0, 4)
  return value
}

function parse(packet: Buffer): Reply {
  const attributes = new Map<number, Buffer>()
  for (let at = 20; at + 4 <= packet.length; ) {
    const length = packet.readUInt16BE(at + 2)
    attributes.set(packet.readUInt16BE(at), packet.subarray(at + 4, at + 4 + length))
    at += 4 + Math.ceil(length / 4) * 4
  }
  const error = attributes.get(ERROR_CODE)
  const isRefusal = (packet.readUInt16BE(0) & REFUSAL) === REFUSAL
  return { refused: isRefusal && error ? (error[2] ?? 0) * 100 + (error[3] ?? 0) : null, attributes }
}
