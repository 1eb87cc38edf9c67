import { connect, createServer, type Socket } from 'node:net'

/** A network that can break: passes TCP on to a hub until it is told to reset every connection. */
export async function startProxy(target: string) {
  const { hostname, port, pathname } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const own = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${own}${pathname}`,
    /** What is under way is lost in both directions. */
    reset() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
