import { createServer, type ServerResponse } from 'node:http'

/** How a faulty service responds: never, only with headers, without JSON, without an end, by closing the connection, or with a redirect. */
export type Misbehaviour = 'silent' | 'stalls' | 'no-json' | 'endless' | 'hangs-up' | 'redirects'
type Reply = { status?: number; body: unknown } | { does: Misbehaviour }

/** An identity provider or lookup service on loopback. `respond` receives path and query and returns the reply. */
export async function startFakeService(
  respond: (path: string, query: URLSearchParams, headers: Record<string, unknown>) => Reply,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const reply = respond(pathname, searchParams, request.headers)
    if ('does' in reply) misbehave[reply.does](response)
    else {
      const { status = 200, body } = reply
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The fake service has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const head = { 'content-type': 'application/json' }

const misbehave: Record<Misbehaviour, (response: ServerResponse) => void> = {
  silent: () => undefined,
  stalls: (response) => response.writeHead(200, head).write('{'),
  'no-json': (response) => response.writeHead(200, head).end('<html>Sign in</html>'),
  'hangs-up': (response) => response.destroy(),
  redirects: (response) => response.writeHead(302, { location: '/elsewhere' }).end('{}'),
  endless(response) {
    response.writeHead(200, head)
    const spaces = ' '.repeat(64 * 1024)
    const more = () => {
      while (!response.destroyed && response.write(spaces));
    }
    response.on('drain', more)
    more()
  },
}
