import { createServer } from 'node:http'

/** An identity provider or lookup service on loopback. `answer` gets path and query and says what comes back. */
export async function startFakeService(
  answer: (
    path: string,
    query: URLSearchParams,
    headers: Record<string, unknown>,
  ) => { status?: number; body: unknown },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const { status = 200, body } = answer(pathname, searchParams, request.headers)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
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
