import type { FastifyRequest } from 'fastify'
import type { ConsoleEndpoints } from '#protocol/console.ts'
import type { RegisterEndpoint } from '../../platform/http/endpoint-route.ts'
import { byNetwork } from '../../platform/http/rate-limits.ts'
import type { ConsoleCaller } from '../rules/moderator-logins.ts'

/** Registers a handler of the console's endpoints. */
export type ConsoleEndpoint = RegisterEndpoint<ConsoleEndpoints, ConsoleCaller>

/** Rate-limit key: the moderator, or the network for a request without a login. */
export function byModerator(request: FastifyRequest): string {
  return request.callerId === null ? byNetwork(request) : `moderator ${request.callerId}`
}
