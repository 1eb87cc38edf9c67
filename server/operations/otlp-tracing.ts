import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace as spans } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import type { Trace } from './rules/trace.ts'

export type TracingConfig = {
  endpoint: string
  headers: Record<string, string>
  serviceName: string
  /** Which share of all traces is kept, from 0 to 1. */
  share: number
}

/** With all attempts; also how long the end of the server may wait for the last spans. */
const SEND_MS = 3_000
/** Asked every few seconds by machinery that nobody wants to see. */
const quiet = new Set(['/healthz', '/readyz', '/metrics'])

/** A message of an error may quote what somebody sent: only its kind is told. */
function fail(span: Span, error: unknown): void {
  const kind = error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown'
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Sends spans to a collector over OTLP/HTTP. What browsers say of traces is not believed: each request begins one. */
export function openTracing({ endpoint, headers, serviceName, share }: TracingConfig) {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    timeoutMillis: SEND_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new TraceIdRatioBasedSampler(share),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer(serviceName)
  const contexts = new AsyncLocalStorage<Context>()
  const requests = new WeakMap<FastifyRequest, Context>()

  const trace: Trace = (name, work, attributes = {}) => {
    const parent = contexts.getStore() ?? ROOT_CONTEXT
    const span = tracer.startSpan(name, { attributes }, parent)
    return contexts.run(spans.setSpan(parent, span), () => {
      try {
        const result = work()
        if (result instanceof Promise)
          result.then(
            () => span.end(),
            (error: unknown) => {
              fail(span, error)
              span.end()
            },
          )
        else span.end()
        return result
      } catch (error) {
        fail(span, error)
        span.end()
        throw error
      }
    })
  }

  return {
    trace,

    /** The same repositories or whatever else; each method is a step of what its caller does, if that is traced. */
    stepsOf<T extends object>(name: string, part: T): T {
      return new Proxy(part, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key)
          if (typeof value !== 'function') return value
          return (...args: unknown[]) => {
            const run = () => Reflect.apply(value, target, args)
            return contexts.getStore() ? trace(`${name}.${String(key)}`, run) : run()
          }
        },
      })
    },

    /** A span for each request of this app. */
    watch(app: FastifyInstance): void {
      app.addHook('onRequest', (request, _reply, done) => {
        const { method, routeOptions } = request
        const route = routeOptions.url ?? 'none'
        if (quiet.has(route)) return done()
        const attributes = { 'http.request.method': method, 'http.route': route }
        const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)
        const context = spans.setSpan(ROOT_CONTEXT, span)
        requests.set(request, context)
        contexts.run(context, done)
      })
      // Reading the body leaves the context of the request.
      app.addHook('preValidation', (request, _reply, done) => {
        const context = requests.get(request)
        if (context) contexts.run(context, done)
        else done()
      })
      app.addHook('onError', async (request, _reply, error) => {
        const span = spanOf(requests.get(request))
        if (span) span.setAttribute('error.type', error instanceof AppError ? error.code : error.name)
      })
      app.addHook('onResponse', async (request, { statusCode }) => {
        const span = spanOf(requests.get(request))
        span?.setAttribute('http.response.status_code', statusCode)
        if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
        span?.end()
      })
    },

    /** What joins a line of the log to the trace in which it was written. */
    ids(): { traceId?: string } {
      const context = spanOf(contexts.getStore())?.spanContext()
      return context ? { traceId: context.traceId } : {}
    },

    /** Sends what is left. */
    stop: () => provider.shutdown(),
  }
}

function spanOf(context: Context | undefined): Span | undefined {
  return context && spans.getSpan(context)
}

export type Tracing = ReturnType<typeof openTracing>
