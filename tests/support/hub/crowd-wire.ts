import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import * as v from 'valibot'
import { HUB_HANDSHAKE_TIMEOUT_MS } from '#protocol/constants.ts'

/** The result of negotiate. */
const negotiated = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ connectionToken: v.string(), connectionId: v.string() }),
)
/** A message of the hub. */
export const messageSchema = v.object({
  type: v.number(),
  target: v.optional(v.string()),
  arguments: v.optional(v.array(v.unknown())),
  invocationId: v.optional(v.string()),
  error: v.optional(v.string()),
})
/** The leading texts; what follows is of no interest here. */
export const textsSchema = v.tuple([v.optional(v.string(), ''), v.optional(v.string(), ''), v.optional(v.string(), '')])

/** Uses a TCP connection of its own, as each browser does. */
export function negotiate(url: string, token: string): Promise<v.InferOutput<typeof negotiated>> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-length': '0' }
    const send = url.startsWith('https:') ? secureRequest : request
    const sent = send(url, { method: 'POST', agent: false, headers, timeout: HUB_HANDSHAKE_TIMEOUT_MS }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        body += part
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(v.parse(negotiated, body))
        else reject(new Error(`negotiate answers ${response.statusCode}`))
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('negotiate takes too long')))
    sent.on('error', reject)
    sent.end()
  })
}
