import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { JSON_LIMIT, REQUESTED_WITH, VALID } from '#protocol/constants.ts'
import type { Endpoint, validSchema } from '#protocol/endpoint.ts'
import { AppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'
import type { IdempotencyId } from '../rules/idempotency.ts'
import { type IdempotencyStore, idempotencyKey } from './idempotency.ts'
import { fieldError } from './problems.ts'
import type { RateLimit } from './rate-limits.ts'
import { FIELDS_LIMIT, readForm } from './read-form.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the account or of the moderator that sends the request; null without a login. */
    callerId: string | null
  }
  interface FastifyContextConfig {
    /** Each server counts the requests of this route separately. */
    isCountedAlone?: boolean
  }
}

type AnySchema = v.GenericSchema<unknown, unknown>

export type EndpointTable = Readonly<Record<string, Endpoint>>

/** The checked input of an endpoint's handler. */
type ParsedOf<E> = E extends { query: infer S extends AnySchema }
  ? v.InferOutput<S>
  : E extends { json: infer S extends AnySchema }
    ? v.InferOutput<S>
    : E extends { form: { fields: infer S extends AnySchema } }
      ? v.InferOutput<S> & { file: Uint8Array | null }
      : undefined

type Context<E extends Endpoint, Caller> = {
  input: ParsedOf<E>
  caller: E extends { login: true } ? Caller : Caller | null
  request: FastifyRequest
  reply: FastifyReply
}

type OutputOf<E extends Endpoint> = v.InferOutput<E['response']>
/** A handler may resolve with nothing where the response reports nothing but success. */
type Nothing<E extends Endpoint> = v.InferOutput<typeof validSchema> extends OutputOf<E> ? Promise<void> : never
type Handler<E extends Endpoint, Caller> = (
  context: Context<E, Caller>,
) => Promise<OutputOf<E>> | OutputOf<E> | Nothing<E>

/**
 * Registers the handler of one endpoint of the table. `rate` replaces the general rate limit for this endpoint.
 * `looserBody` replaces the table's schema of the body, for a handler that does not read its input.
 */
export type RegisterEndpoint<Table extends EndpointTable, Caller> = <N extends keyof Table & string>(
  name: N,
  handler: Handler<Table[N], Caller>,
  rate?: RateLimit,
  looserBody?: AnySchema,
) => void

export type EndpointOptions<Table extends EndpointTable, Caller> = {
  table: Table
  /** Resolves with the login of the request, null without one. */
  authenticate: (request: FastifyRequest) => Promise<Caller | null>
  /** The id of the account or of the moderator. */
  idOf: (caller: Caller) => string
  /** Returns the key under which a request counts against a rate limit without `keyOf`. */
  limitKey: (request: FastifyRequest) => string
  /** True for an Origin whose pages may use these endpoints. */
  originAllowed: (origin: string | undefined) => boolean
  idempotency: IdempotencyStore
}

/** Throws `origin-refused` unless a script of an allowed page sends the request. */
export function checkOrigin({ headers }: FastifyRequest, originAllowed: (origin: string | undefined) => boolean): void {
  if (!originAllowed(headers.origin)) throw new AppError('origin-refused', 'This Origin may not change anything')
  if (headers[REQUESTED_WITH.name.toLowerCase()] !== REQUESTED_WITH.value)
    throw new AppError('origin-refused', `The header ${REQUESTED_WITH.name} is needed`)
}

/**
 * Throws `origin-refused` unless a script of an allowed page sends this GET. Browsers send no Origin with a GET to the origin of the page.
 */
function checkScript({ headers }: FastifyRequest, originAllowed: (origin: string | undefined) => boolean): void {
  const isForeign = headers.origin !== undefined && !originAllowed(headers.origin)
  if (isForeign || headers[REQUESTED_WITH.name.toLowerCase()] !== REQUESTED_WITH.value)
    throw new AppError('origin-refused', `The header ${REQUESTED_WITH.name} is needed`)
}

/** Throws `wrong-type`, before the body is read, unless its content type is that of the endpoint. */
function checkType(endpoint: Endpoint, request: FastifyRequest): void {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  const expected = endpoint.form ? 'multipart/form-data' : 'application/json'
  if (type === undefined ? endpoint.form : type !== expected && endpoint.method !== 'GET')
    throw new AppError('wrong-type', `This call takes ${expected}`)
}

/** Throws `bad-request`, with the name of the wrong field if one is wrong. */
export function parseFields<S extends AnySchema>(schema: S, value: unknown): v.InferOutput<S> {
  const parsed = tryParse(schema, value)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const field = v.getDotPath(issue)
  throw field ? fieldError('bad-request', field, issue.message) : new AppError('bad-request', issue.message)
}

function parseForm(endpoint: Endpoint, { body, headers }: FastifyRequest): unknown {
  if (!endpoint.form || !Buffer.isBuffer(body)) return undefined
  const { name: fileName, limit } = endpoint.form.file
  const form = readForm(body, headers['content-type'] ?? '', { fileName, limit })
  const fields = parseFields(endpoint.form.fields, form.fields)
  if (!form.file && !endpoint.form.file.optional)
    throw fieldError('bad-request', endpoint.form.file.name, `The file ${endpoint.form.file.name} is needed`)
  return { ...fields, file: form.file }
}

/**
 * Returns the function that registers endpoints of `table` in `app`. Checks are made in the order of the wire contract:
 * Origin and header, login, type, size (`limitUploads`, by the limit of the route), rate, fields. The handler checks
 * the owner, the content and the state of the data.
 */
export function createRegisterEndpoint<Table extends EndpointTable, Caller>(
  app: FastifyInstance,
  { table, authenticate, idOf, limitKey, originAllowed, idempotency }: EndpointOptions<Table, Caller>,
): RegisterEndpoint<Table, Caller> {
  const callers = new WeakMap<FastifyRequest, Caller>()

  return (name, handler, rate, looserBody) => {
    const endpoint: Endpoint = looserBody
      ? { ...(table[name] as Endpoint), json: looserBody }
      : (table[name] as Endpoint)

    /**
     * Returns the id of a request, which contains caller and endpoint, so that no caller gets another caller's result.
     * Returns null for a request that cannot be repeated.
     */
    function idempotencyId(request: FastifyRequest): IdempotencyId | null {
      if (endpoint.again !== 'keyed') return null
      const key = idempotencyKey(request)
      return key === null || request.callerId === null ? null : { account: request.callerId, endpoint: name, key }
    }

    /** True for a repeat of a request that was answered: it does not count against the rate limit. */
    async function isFreeRepeat(request: FastifyRequest): Promise<boolean> {
      const id = idempotencyId(request)
      return id !== null && idempotency.isFree(id)
    }

    async function admit(request: FastifyRequest): Promise<void> {
      if (endpoint.method !== 'GET') checkOrigin(request, originAllowed)
      else if (endpoint.byScript) checkScript(request, originAllowed)
      const caller = await authenticate(request)
      if (caller) {
        callers.set(request, caller)
        request.callerId = idOf(caller)
      }
      if (endpoint.login && !caller) throw new AppError('login-required')
      checkType(endpoint, request)
    }

    function parseInput(request: FastifyRequest): unknown {
      if (endpoint.query) return parseFields(endpoint.query, request.query)
      if (endpoint.json) return parseFields(endpoint.json, request.body)
      return parseForm(endpoint, request)
    }

    app.route({
      method: endpoint.method,
      url: `/${endpoint.path}`,
      exposeHeadRoute: false,
      bodyLimit: endpoint.form ? endpoint.form.file.limit + FIELDS_LIMIT : (endpoint.jsonLimit ?? JSON_LIMIT),
      onRequest: admit,
      config: rate
        ? {
            isCountedAlone: rate.isOwn ?? false,
            rateLimit: {
              max: rate.max,
              timeWindow: rate.timeWindow,
              keyGenerator: rate.keyOf ?? limitKey,
              ...(endpoint.again === 'keyed' && { allowList: isFreeRepeat }),
            },
          }
        : {},
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const context = { input: parseInput(request), caller: callers.get(request) ?? null, request, reply }
        // Schema and type of an endpoint come from the same entry of the table; the compiler cannot derive this.
        const carryOut = async () =>
          (await handler(context as unknown as Context<Table[typeof name], Caller>)) ?? { message: VALID }
        const id = idempotencyId(request)
        const output = await (id === null ? carryOut() : idempotency.once(id, endpoint.response, carryOut))
        return typeof output === 'string' ? reply.type('text/plain; charset=utf-8').send(output) : output
      },
    })
  }
}
