import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createSlowLink, type LinkSpeed, PACKET_BYTES } from './slow-link.ts'

/** A request that passed the proxy. Times are in ms since 1970, as the browser saw them. */
export type ProxiedRequest = {
  path: string
  /** The page or the worker script that sent it. */
  referrer: string
  startedAt: number
  /** NaN until the response has arrived. */
  endedAt: number
  /** Of the response, with its headers. */
  bytes: number
}

/** Slow in both directions, or not at all. */
export type PhoneNetwork = { up: LinkSpeed; down: LinkSpeed }

export type SlowProxy = {
  origin: string
  /** Sets where requests go. */
  forwardTo(port: number): void
  /** Applies to everything from now on; null removes the limits. */
  setNetwork(network: PhoneNetwork | null): void
  /** Returns the requests since the last time, and forgets them. */
  takeRequests(): ProxiedRequest[]
  close(): Promise<void>
}

/** For what follows a status line and each header: CR and LF, or a colon and a blank. */
const SEPARATOR_BYTES = 2
const epochNow = () => performance.timeOrigin + performance.now()

function headerBytes({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + SEPARATOR_BYTES, 0)
}

/**
 * An HTTP proxy on loopback whose connections share one slow link. The browser's own throttling is set for each page and worker
 * separately, so it neither shares the rate among them nor reaches a service worker that starts later; this proxy sees every request.
 */
export async function startSlowProxy(): Promise<SlowProxy> {
  let network: PhoneNetwork | null = null
  let target = 0
  let requests: ProxiedRequest[] = []
  const agent = new Agent({ keepAlive: true })
  const up = createSlowLink(() => network?.up ?? null)
  const down = createSlowLink(() => network?.down ?? null)

  function sendInPackets(flow: object, chunk: Buffer, write: (packet: Buffer) => void): void {
    for (let from = 0; from < chunk.length; from += PACKET_BYTES) {
      const packet = chunk.subarray(from, from + PACKET_BYTES)
      down.send(flow, packet.length, () => write(packet))
    }
  }

  function respond(entry: ProxiedRequest, from: IncomingMessage, to: ServerResponse): void {
    const head = headerBytes(from)
    entry.bytes += head
    down.send(entry, head, () => {
      to.sendDate = false
      to.writeHead(from.statusCode ?? 502, from.statusMessage, from.rawHeaders)
      to.flushHeaders()
    })
    from.on('data', (chunk: Buffer) => {
      entry.bytes += chunk.length
      sendInPackets(entry, chunk, (packet) => to.write(packet))
    })
    from.on('end', () =>
      down.send(entry, 0, () => {
        entry.endedAt = epochNow()
        to.end()
      }),
    )
    from.on('error', () => to.destroy())
  }

  function note(from: IncomingMessage): ProxiedRequest {
    const entry = {
      path: from.url ?? '',
      referrer: String(from.headers.referer ?? ''),
      startedAt: epochNow(),
      endedAt: Number.NaN,
      bytes: 0,
    }
    requests.push(entry)
    return entry
  }

  async function forward(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const entry = note(from)
    const body = await buffer(from)
    up.send(entry, headerBytes(from) + body.length, () => {
      const { method, url, rawHeaders } = from
      const onward = requestOf({ port: target, method, path: url, headers: rawHeaders, agent }, (response) =>
        respond(entry, response, to),
      )
      onward.on('error', () => to.destroy())
      onward.end(body)
    })
  }

  /** A WebSocket: the request as it came, then bytes in both directions. */
  function upgrade(from: IncomingMessage, near: Duplex, head: Buffer): void {
    const entry = note(from)
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    const lines = from.rawHeaders.flatMap((name, index, all) => (index % 2 ? [] : [`${name}: ${all[index + 1]}`]))
    const first = `GET ${from.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
    up.send(entry, first.length, () => far.write(Buffer.concat([Buffer.from(first), head])))
    near.on('data', (chunk: Buffer) => up.send(entry, chunk.length, () => far.write(chunk)))
    far.on('data', (chunk: Buffer) => sendInPackets(entry, chunk, (packet) => near.write(packet)))
    // Sockets of an HTTP server stay half open.
    near.on('end', () => up.send(entry, 0, () => far.end()))
    far.on('end', () => down.send(entry, 0, () => near.end()))
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (from, to) => {
    forward(from, to).catch(() => to.destroy())
  })
  server.on('upgrade', upgrade)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  return {
    origin: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    forwardTo(port) {
      target = port
    },
    setNetwork(next) {
      network = next
    },
    takeRequests() {
      const taken = requests
      requests = []
      return taken
    },
    async close() {
      agent.destroy()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
