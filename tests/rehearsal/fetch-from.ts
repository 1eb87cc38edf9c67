import { Agent, request as send } from 'node:https'
import { buffer } from 'node:stream/consumers'

const EMPTY = new Set([204, 205, 304])

/** Returns a `fetch` whose connections come from this address of the machine: servers limit each address. */
export function fetchFrom(localAddress: string): typeof fetch {
  const agent = new Agent({ keepAlive: true, localAddress })
  return async (url, init) => {
    // A Request would drop Origin.
    const carried = new Response(init?.body ?? null)
    const body = Buffer.from(await carried.arrayBuffer())
    const all = [...carried.headers, ...new Headers(init?.headers), ['content-length', String(body.length)] as const]
    return await new Promise((resolve, reject) => {
      const options = { method: init?.method ?? 'GET', headers: Object.fromEntries(all), agent }
      const sent = send(String(url), options, (response) => {
        const { statusCode: status = 0, rawHeaders } = response
        const received = new Headers()
        for (let index = 0; index < rawHeaders.length; index += 2)
          received.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
        buffer(response).then(
          (bytes) =>
            resolve(new Response(EMPTY.has(status) ? null : new Uint8Array(bytes), { status, headers: received })),
          reject,
        )
      })
      sent.once('error', reject)
      sent.end(body)
    })
  }
}
