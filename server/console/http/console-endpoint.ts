import type { FastifyRequest } from 'fastify'
import type { ConsoleEndpoints } from '#protocol/console.ts'
import type { RegisterEndpoint } from '../../platform/http/endpoint-route.ts'
import { byNetwork } from '../../platform/http/rate-limits.ts'
import type { ConsoleCaller } from '../rules/moderator-logins.ts'

/** Registers a handler of the console's endpoints. */
export type ConsoleEndpoint = RegisterEndpoint<ConsoleEndpoints, ConsoleCaller>

/** Counts the requests of one moderator, and of one network those without a login. */
export function byModerator(request: FastifyRequest): string {
  return request.callerId === null ? byNetwork(request) : `moderator ${request.callerId}`
}
