import { Agent, request as send } from 'node:https'
import { buffer } from 'node:stream/consumers'

const EMPTY = new Set([204, 205, 304])

/** Returns a `fetch` whose connections come from this address of the machine: servers limit each address. */
export function fetchFrom(localAddress: string): typeof fetch {
  const agent = new Agent({ keepAlive: true, localAddress })
  return async (url, init) => {
    const request = new Request(url, init)
    const body = Buffer.from(await request.arrayBuffer())
    return await new Promise((resolve, reject) => {
      const headers = { ...Object.fromEntries(request.headers), 'content-length': body.length }
      const sent = send(request.url, { method: request.method, headers, agent }, (response) => {
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
