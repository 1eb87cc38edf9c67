import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** How many connections pass through it now. */
  open(): number
  /** Resets every connection, as a network that changes does. */
  cut(): void
  /** From now on not a byte of the connections there are passes, and neither end hears of it. */
  freeze(): void
  /** New connections are taken and lead nowhere until the answer is called; then they are reset. */
  swallow(): () => void
  close(): Promise<void>
}

/** Stands between a client and a port of this machine, as the network does. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  const swallowed = new Set<Socket>()
  let swallowing = false

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
    near.pipe(far)
    far.pipe(near)
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
    cut: () => reset([...pairs].flat()),
    freeze() {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
        near.pause()
        far.pause()
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
