import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import type { Counts } from '../rules/counts.ts'

type Callback = Parameters<FastifyRateLimitStore['incr']>[1]

/** The options that the plugin passes for a route with its own limit. */
const routeSchema = v.object({
  routeInfo: v.object({
    method: v.string(),
    url: v.string(),
    config: v.object({ isCountedAlone: v.optional(v.boolean(), false) }),
  }),
})

/**
 * Returns the store of the rate limit plugin. Endpoints with the same `scope` share a count. `own` counts the endpoints
 * that each server counts separately.
 */
export function rateStore(counts: Counts, own: Counts, scope: string): FastifyRateLimitStoreCtor {
  return class Store implements FastifyRateLimitStore {
    incr(key: string, callback: Callback, windowMs: number): void {
      const counted = counts.add(`${scope} ${key}`, windowMs)
      counted.then(({ count, leftMs }) => callback(null, { current: count, ttl: leftMs }), callback)
    }

    child(route: unknown): FastifyRateLimitStore {
      const { method, url, config } = parse(routeSchema, route).routeInfo
      const Child = rateStore(config.isCountedAlone ? own : counts, own, `${scope} ${method} ${url}`)
      return new Child({})
    }
  }
}
