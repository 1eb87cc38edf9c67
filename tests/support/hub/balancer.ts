import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type Balancer = {
  url: string
  /** From now on these alone get new connections. */
  use(ports: number[]): void
  close(): Promise<void>
}

/** Gives each new connection to the next server that takes it, as a balancer without memory does. */
export async function startBalancer(ports: number[]): Promise<Balancer> {
  let targets = ports
  let turn = 0
  const sockets = new Set<Socket>()

  function pass(near: Socket, tries: number): void {
    turn += 1
    const port = targets[turn % targets.length]
    if (port === undefined || tries === 0) {
      near.resetAndDestroy()
      return
    }
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    far.once('error', () => pass(near, tries - 1))
    far.once('connect', () => {
      far.removeAllListeners('error')
      sockets.add(near).add(far)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('error', () => other.resetAndDestroy())
        one.on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    })
  }

  const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    near.on('error', () => near.destroy())
    pass(near, targets.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    use(next) {
      targets = next
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
