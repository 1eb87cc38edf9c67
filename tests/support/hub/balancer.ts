import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Balancer } from '../servers/http-balancer.ts'

/** Sends each new TCP connection to the next server that accepts it, whichever client it is from. */
export async function startBalancer(): Promise<Balancer> {
  let targets: string[] = []
  let turn = 0
  const sockets = new Set<Socket>()

  function pass(near: Socket, tries: number): void {
    turn += 1
    const target = targets[turn % targets.length]
    if (target === undefined || tries === 0) {
      near.resetAndDestroy()
      return
    }
    const far = connect({ port: Number(new URL(target).port), host: '127.0.0.1', noDelay: true })
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
    origin: `http://127.0.0.1:${port}`,
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
