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
  /** Share of traces that are sampled, from 0 to 1. */
  share: number
}

/** Time limit of an export with all attempts; also the longest wait for the last spans when the server stops. */
const SEND_MS = 3_000
/** Routes without spans: monitoring requests them every few seconds. */
const untracedRoutes = new Set(['/healthz', '/readyz', '/metrics'])

/** Marks the span as failed with the error's code or name; its message may contain input of a user. */
function recordError(span: Span, error: unknown): void {
  const kind = error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown'
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Sends spans to a collector over OTLP/HTTP. Trace headers of browsers are ignored: each request begins a new trace. */
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
              recordError(span, error)
              span.end()
            },
          )
        else span.end()
        return result
      } catch (error) {
        recordError(span, error)
        span.end()
        throw error
      }
    })
  }

  return {
    trace,

    /** Returns a proxy of `part`. A method that a traced caller calls runs in a span with the name `name.method`. */
    traceMethods<T extends object>(name: string, part: T): T {
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

    /** Adds a span for each request of this app. */
    traceRequests(app: FastifyInstance): void {
      app.addHook('onRequest', (request, _reply, done) => {
        const { method, routeOptions } = request
        const route = routeOptions.url ?? 'none'
        if (untracedRoutes.has(route)) return done()
        const attributes = { 'http.request.method': method, 'http.route': route }
        const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)
        const context = spans.setSpan(ROOT_CONTEXT, span)
        requests.set(request, context)
        contexts.run(context, done)
      })
      // Reading the body loses the context of the request.
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

    /** Returns the id of the current trace, for log lines. */
    ids(): { traceId?: string } {
      const context = spanOf(contexts.getStore())?.spanContext()
      return context ? { traceId: context.traceId } : {}
    },

    /** Sends the remaining spans. */
    stop: () => provider.shutdown(),
  }
}

function spanOf(context: Context | undefined): Span | undefined {
  return context && spans.getSpan(context)
}

export type Tracing = ReturnType<typeof openTracing>
