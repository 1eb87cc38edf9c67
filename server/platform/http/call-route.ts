import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { JSON_LIMIT, REQUESTED_WITH } from '#protocol/constants.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import { AppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'
import { type EndpointName, type EndpointOutput, type Endpoints, endpoints } from '#protocol/rest.ts'
import { rateKey, type SignedIn } from '../../accounts/http/login.ts'
import { isLive } from '../../accounts/rules/login.ts'
import type { RepeatId } from '../rules/idempotency.ts'
import { addressKey } from './client-address.ts'
import type { Cookies } from './cookies.ts'
import type { HttpDeps } from './deps.ts'
import { fieldError } from './problems.ts'
import { FIELDS_LIMIT, type Form, readForm } from './read-form.ts'
import { idempotencyKey } from './repeats.ts'

type AnySchema = v.GenericSchema<unknown, unknown>

/** What a handler gets as its input, already checked. */
export type ParsedOf<C> = C extends { query: infer S extends AnySchema }
  ? v.InferOutput<S>
  : C extends { json: infer S extends AnySchema }
    ? v.InferOutput<S>
    : C extends { form: { fields: infer S extends AnySchema } }
      ? v.InferOutput<S> & { file: Uint8Array | null }
      : undefined

type CallerOf<C> = C extends { login: true } ? SignedIn : SignedIn | null

type CallContext<N extends EndpointName> = {
  input: ParsedOf<Endpoints[N]>
  caller: CallerOf<Endpoints[N]>
  request: FastifyRequest
  reply: FastifyReply
}

type CallHandler<N extends EndpointName> = (context: CallContext<N>) => Promise<EndpointOutput<N>> | EndpointOutput<N>

export type RateLimit = { max: number; timeWindow: number; perAddress?: true }

/**
 * Registers the handler of one call of the protocol's table. `looser` takes the place of the table's schema of the body, for a
 * handler that does not read its input.
 */
export type Answer = <N extends EndpointName>(
  name: N,
  handler: CallHandler<N>,
  rate?: RateLimit,
  looser?: AnySchema,
) => void

/** The body a call takes: any other content type is refused before it is read. */
export function checkType(call: Endpoint, request: FastifyRequest): void {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  const expected = call.form ? 'multipart/form-data' : 'application/json'
  if (type === undefined ? call.form : type !== expected && call.method !== 'GET')
    throw new AppError('wrong-type', `This call takes ${expected}`)
}

export function checkOrigin(call: Endpoint, request: FastifyRequest, originAllowed: HttpDeps['originAllowed']): void {
  if (call.method === 'GET') return
  if (!originAllowed(request.headers.origin))
    throw new AppError('origin-refused', 'This Origin may not change anything')
  if (request.headers[REQUESTED_WITH.name.toLowerCase()] !== REQUESTED_WITH.value)
    throw new AppError('origin-refused', `The header ${REQUESTED_WITH.name} is needed`)
}

export function parseFields(schema: AnySchema, value: unknown): unknown {
  const parsed = tryParse(schema, value)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const field = v.getDotPath(issue)
  throw field ? fieldError('bad-request', field, issue.message) : new AppError('bad-request', issue.message)
}

function parseForm(call: Endpoint, form: Form | undefined): unknown {
  if (!call.form || !form) return undefined
  const fields = parseFields(call.form.fields, form.fields)
  if (!form.file && !call.form.file.optional)
    throw fieldError('bad-request', call.form.file.name, `The file ${call.form.file.name} is needed`)
  return { ...(fields as object), file: form.file }
}

/**
 * Checks come in the order of the wire contract: Origin and header, login, type, size (`limitUploads`, by the limit of the route),
 * rate, fields; the owner of the data, its content and its state are the handler's.
 */
export function createAnswer(app: FastifyInstance, deps: HttpDeps, cookies: Cookies): Answer {
  const forms = new WeakMap<FastifyRequest, Form>()
  const { repeats } = deps

  async function findLogin(request: FastifyRequest): Promise<SignedIn | null> {
    const login = await deps.jwt.readAccessToken(cookies.read(request, 'access'))
    if (!login) return null
    const [account, live] = await Promise.all([
      deps.store.accounts.find(login.accountId),
      isLive(deps.store.loginSessions, login, deps.clock.now()),
    ])
    if (!account || !live || login.issuedAt < account.loginsSince) return null
    deps.presence.seen(account.id)
    return { account, sessionId: login.sessionId, signedInAt: login.signedInAt }
  }

  return (name, handler, rate, looser) => {
    const call: Endpoint = looser ? { ...endpoints[name], json: looser } : endpoints[name]

    /** Of one person and one call: nobody gets the answer of somebody else. Null for a call that is not to be known again. */
    function repeatId(request: FastifyRequest): RepeatId | null {
      if (call.again !== 'keyed') return null
      const key = idempotencyKey(request)
      return key === null || !request.signedIn ? null : { account: request.signedIn.account.id, call: name, key }
    }

    /** A frame that is sent again must not be refused for coming too soon after itself. */
    async function isFreeRepeat(request: FastifyRequest): Promise<boolean> {
      const id = repeatId(request)
      return id !== null && repeats.isFree(id)
    }

    async function admit(request: FastifyRequest): Promise<void> {
      checkOrigin(call, request, deps.originAllowed)
      request.signedIn = await findLogin(request)
      if (call.login && !request.signedIn) throw new AppError('login-required')
      checkType(call, request)
    }

    async function takeForm(request: FastifyRequest): Promise<void> {
      if (call.form) forms.set(request, await readForm(request, call.form.file.name, call.form.file.limit))
    }

    function parseInput(request: FastifyRequest): unknown {
      if (call.query) return parseFields(call.query, request.query)
      if (call.json) return parseFields(call.json, request.body)
      return parseForm(call, forms.get(request))
    }

    app.route({
      method: call.method,
      url: `/${call.path}`,
      exposeHeadRoute: false,
      bodyLimit: call.form ? call.form.file.limit + FIELDS_LIMIT : (call.jsonLimit ?? JSON_LIMIT),
      onRequest: admit,
      // Behind the rate, which is counted before a body is read.
      preHandler: takeForm,
      config: rate
        ? {
            rateLimit: {
              max: rate.max,
              timeWindow: rate.timeWindow,
              keyGenerator: rate.perAddress ? (request: FastifyRequest) => addressKey(request.ip) : rateKey,
              allowList: isFreeRepeat,
            },
          }
        : {},
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        // The table gives the schema and the type of each call from the same entry, which generics cannot follow.
        const context = { input: parseInput(request), caller: request.signedIn, request, reply }
        const carryOut = async () => handler(context as unknown as CallContext<typeof name>)
        const id = repeatId(request)
        const output = await (id === null ? carryOut() : repeats.once(id, call.response, carryOut))
        return typeof output === 'string' ? reply.type('text/plain; charset=utf-8').send(output) : output
      },
    })
  }
}
