import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** Returns the number of open connections. */
  open(): number
  /** Delays everything from now on by `ms` in each direction. */
  delay(ms: number): void
  /** Resets every connection, like a change of network. */
  cut(): void
  /** Forwards nothing more on the existing connections, and leaves both ends open. */
  freeze(): void
  /** Accepts new connections without forwarding them. Returns a function that ends this and resets them. */
  swallow(): () => void
  close(): Promise<void>
}

/** Forwards chunks in order after a delay; a `null` chunk is the end of the stream. */
function carry(from: Socket, to: Socket, delay: () => number): void {
  const delayed: { chunk: Buffer | null; at: number }[] = []

  function pass(): void {
    const first = delayed[0]
    if (!first) return
    const left = first.at - performance.now()
    if (left > 0) {
      setTimeout(pass, left)
      return
    }
    delayed.shift()
    if (first.chunk) to.write(first.chunk)
    else to.end()
    pass()
  }

  function take(chunk: Buffer | null): void {
    delayed.push({ chunk, at: performance.now() + delay() })
    if (delayed.length === 1) pass()
  }

  from.on('data', take)
  from.on('end', () => take(null))
}

/** Starts a proxy to a loopback port whose connections a test can delay, reset or freeze. */
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
