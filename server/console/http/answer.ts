import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type ConsoleEndpointName,
  type ConsoleEndpointOutput,
  type ConsoleEndpoints,
  consoleEndpoints,
} from '#protocol/console.ts'
import { JSON_LIMIT } from '#protocol/constants.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import { AppError } from '#protocol/errors.ts'
import { checkOrigin, checkType, type ParsedOf, parseFields, type RateLimit } from '../../platform/http/call-route.ts'
import { addressKey } from '../../platform/http/client-address.ts'
import type { ConsoleCaller } from '../rules/moderator-logins.ts'
import type { ConsoleDeps } from './deps.ts'
import type { ConsoleCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    moderator: ConsoleCaller | null
  }
}

type CallerOf<C> = C extends { login: true } ? ConsoleCaller : ConsoleCaller | null

type Context<N extends ConsoleEndpointName> = {
  input: ParsedOf<ConsoleEndpoints[N]>
  caller: CallerOf<ConsoleEndpoints[N]>
  request: FastifyRequest
  reply: FastifyReply
}

type Handler<N extends ConsoleEndpointName> = (context: Context<N>) => Promise<ConsoleEndpointOutput<N>>

/** Registers the handler of one call of the console's table. */
export type ConsoleAnswer = <N extends ConsoleEndpointName>(name: N, handler: Handler<N>, rate?: ConsoleRate) => void

type ConsoleRate = Pick<RateLimit, 'max' | 'timeWindow'> & {
  /** Where it is not `consoleRateKey`. */
  keyOf?: (request: FastifyRequest) => string
}

/** The key of a rate limit: the moderator, or the network of a visitor. */
export function consoleRateKey(request: FastifyRequest): string {
  return request.moderator ? `moderator ${request.moderator.moderatorId}` : addressKey(request.ip)
}

/** The checks of the users' calls in their order; the login alone is another one. */
export function createConsoleAnswer(app: FastifyInstance, deps: ConsoleDeps, cookie: ConsoleCookie): ConsoleAnswer {
  async function findLogin(request: FastifyRequest): Promise<ConsoleCaller | null> {
    const token = cookie.read(request)
    return token === undefined ? null : deps.logins.find(token)
  }

  return (name, handler, rate) => {
    const call: Endpoint = consoleEndpoints[name]

    async function admit(request: FastifyRequest): Promise<void> {
      checkOrigin(call, request, deps.originAllowed)
      request.moderator = await findLogin(request)
      if (call.login && !request.moderator) throw new AppError('login-required')
      checkType(call, request)
    }

    function parseInput(request: FastifyRequest): unknown {
      if (call.query) return parseFields(call.query, request.query)
      return call.json ? parseFields(call.json, request.body) : undefined
    }

    app.route({
      method: call.method,
      url: `/${call.path}`,
      exposeHeadRoute: false,
      bodyLimit: JSON_LIMIT,
      onRequest: admit,
      config: rate
        ? { rateLimit: { max: rate.max, timeWindow: rate.timeWindow, keyGenerator: rate.keyOf ?? consoleRateKey } }
        : {},
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        // The table gives the schema and the type of each call from the same entry, which generics cannot follow.
        const context = { input: parseInput(request), caller: request.moderator, request, reply }
        return handler(context as unknown as Context<typeof name>)
      },
    })
  }
}
