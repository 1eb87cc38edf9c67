import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '#protocol/call.ts'
import { type ConsoleCallName, type ConsoleCalls, type ConsoleOutput, consoleCalls } from '#protocol/console.ts'
import { JSON_LIMIT } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { ConsoleCaller } from '../../domain/moderator-logins.ts'
import { checkOrigin, checkType, type ParsedOf, parseFields, type RateLimit } from '../call-route.ts'
import { addressKey } from '../client-address.ts'
import type { ConsoleDeps } from './deps.ts'
import type { ConsoleCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    moderator: ConsoleCaller | null
  }
}

type CallerOf<C> = C extends { login: true } ? ConsoleCaller : ConsoleCaller | null

type Context<N extends ConsoleCallName> = {
  input: ParsedOf<ConsoleCalls[N]>
  caller: CallerOf<ConsoleCalls[N]>
  request: FastifyRequest
  reply: FastifyReply
}

type Handler<N extends ConsoleCallName> = (context: Context<N>) => Promise<ConsoleOutput<N>>

/** Registers the handler of one call of the console's table. */
export type ConsoleAnswer = <N extends ConsoleCallName>(name: N, handler: Handler<N>, rate?: ConsoleRate) => void

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
    const call: Call = consoleCalls[name]

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
