import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** How many connections pass through it now. */
  open(): number
  /** From now on what passes takes so long, in each direction. */
  delay(ms: number): void
  /** Resets every connection, as a network that changes does. */
  cut(): void
  /** From now on not a byte of the connections there are passes, and neither end hears of it. */
  freeze(): void
  /** New connections are taken and lead nowhere until the answer is called; then they are reset. */
  swallow(): () => void
  close(): Promise<void>
}

/** Passes on what comes, in its order, after a delay; `null` is the end. */
function carry(from: Socket, to: Socket, delay: () => number): void {
  const underWay: { chunk: Buffer | null; at: number }[] = []

  function pass(): void {
    const first = underWay[0]
    if (!first) return
    const left = first.at - performance.now()
    if (left > 0) {
      setTimeout(pass, left)
      return
    }
    underWay.shift()
    if (first.chunk) to.write(first.chunk)
    else to.end()
    pass()
  }

  function take(chunk: Buffer | null): void {
    underWay.push({ chunk, at: performance.now() + delay() })
    if (underWay.length === 1) pass()
  }

  from.on('data', take)
  from.on('end', () => take(null))
}

/** Stands between a client and a port of this machine, as the network does. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  const swallowed = new Set<Socket>()
  let swallowing = false
  let delayMs = 0

  const server = createServer({ noDelay: true }, (near) => {
    near.on('error', () => near.destroy())
    if (swallowing) {
      swallowed.add(near)
      return
    }
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true })
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    far.on('error', () => near.resetAndDestroy())
    for (const socket of pair) {
      socket.on('close', () => {
        pairs.delete(pair)
        for (const end of pair) end.destroy()
      })
    }
    carry(near, far, () => delayMs)
    carry(far, near, () => delayMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  function reset(sockets: Iterable<Socket>): void {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    open: () => pairs.size,
    delay(ms) {
      delayMs = ms
    },
    cut: () => reset([...pairs].flat()),
    freeze() {
      for (const socket of [...pairs].flat()) {
        socket.removeAllListeners('data')
        socket.pause()
      }
    },
    swallow() {
      swallowing = true
      return () => {
        swallowing = false
        reset(swallowed)
        swallowed.clear()
      }
    },
    async close() {
      server.close()
      reset([...[...pairs].flat(), ...swallowed])
      await once(server, 'close')
    },
  }
}
