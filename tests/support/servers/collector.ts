import { createServer } from 'node:http'
import * as v from 'valibot'

const valueSchema = v.object({ stringValue: v.optional(v.string()), intValue: v.optional(v.number()) })
const attributeSchema = v.object({ key: v.string(), value: valueSchema })
const spanSchema = v.object({
  traceId: v.string(),
  spanId: v.string(),
  parentSpanId: v.optional(v.string()),
  name: v.string(),
  attributes: v.array(attributeSchema),
  status: v.object({ code: v.number() }),
})
const tracesSchema = v.object({
  resourceSpans: v.array(
    v.object({
      resource: v.object({ attributes: v.array(attributeSchema) }),
      scopeSpans: v.array(v.object({ spans: v.array(spanSchema) })),
    }),
  ),
})

export type CollectedSpan = v.InferOutput<typeof spanSchema>

/** An OpenTelemetry collector on loopback. `text` holds the received bodies, one after the other. */
export async function startCollector() {
  const collected = { spans: [] as CollectedSpan[], services: [] as string[], text: '', headers: [] as string[] }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    collected.text += body
    collected.headers.push(`${request.method} ${request.url} ${request.headers['x-team'] ?? ''}`)
    for (const { resource, scopeSpans } of v.parse(tracesSchema, JSON.parse(body)).resourceSpans) {
      const name = resource.attributes.find(({ key }) => key === 'service.name')
      collected.services.push(name?.value.stringValue ?? '')
      collected.spans.push(...scopeSpans.flatMap(({ spans }) => spans))
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    collected,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
