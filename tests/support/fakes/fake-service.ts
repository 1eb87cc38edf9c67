import { createServer, type ServerResponse } from 'node:http'

/** What a service does instead of answering: nothing at all, a head and then nothing, no JSON, no end, or hanging up. */
export type Misbehaviour = 'silent' | 'stalls' | 'no-json' | 'endless' | 'hangs-up' | 'redirects'
type Reply = { status?: number; body: unknown } | { does: Misbehaviour }

/** An identity provider or lookup service on loopback. `answer` gets path and query and says what comes back. */
export async function startFakeService(
  answer: (path: string, query: URLSearchParams, headers: Record<string, unknown>) => Reply,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const reply = answer(pathname, searchParams, request.headers)
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
