import type { FastifyInstance } from 'fastify'
import { API_BASE } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Metrics } from './rules/metrics.ts'
import type { ServiceHealth } from './rules/service-status.ts'

/** Endpoints whose faults show that a part of the product does not work. */
const partOf = new Map<string, 'signIn' | 'pictures'>([
  [`${API_BASE}/${endpoints.setTokens.path}`, 'signIn'],
  [`${API_BASE}/${endpoints.addVideoFrame.path}`, 'pictures'],
])

/** Returns metrics that also record in `health` which matches became calls. */
export function withHealth(metrics: Metrics, health: ServiceHealth, clock: Clock): Metrics {
  return {
    ...metrics,
    matchMade(one, other) {
      metrics.matchMade(one, other)
      health.matched(clock.now())
    },
    matchSettled(outcome, people) {
      metrics.matchSettled(outcome, people)
      // A match that a user left early does not show whether the connection would have worked.
      if (outcome !== 'left') for (const person of people) health.addCall(person, outcome === 'connected', clock.now())
    },
  }
}

/** Adds successes and faults of the endpoints in `partOf` to the health of the service. Refusals do not count. */
export function observeHealth(app: FastifyInstance, health: ServiceHealth, clock: Clock): void {
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const part = partOf.get(request.routeOptions.url ?? '')
    if (part && (statusCode < 300 || statusCode >= 500)) health.add(part, statusCode < 300, clock.now())
    done()
  })
}
