import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import type { Counts } from '../rules/counts.ts'

type Callback = Parameters<FastifyRateLimitStore['incr']>[1]

/** What the plugin tells of a route that has a limit of its own. */
const routeSchema = v.object({ routeInfo: v.object({ method: v.string(), url: v.string() }) })

/** Where the limits of calls are counted; `scope` is the name of what they hold for together. */
export function rateStore(counts: Counts, scope: string): FastifyRateLimitStoreCtor {
  return class Store implements FastifyRateLimitStore {
    incr(key: string, callback: Callback, windowMs: number): void {
      const counted = counts.add(`${scope} ${key}`, windowMs)
      counted.then(({ count, leftMs }) => callback(null, { current: count, ttl: leftMs }), callback)
    }

    child(route: unknown): FastifyRateLimitStore {
      const { method, url } = parse(routeSchema, route).routeInfo
      const Child = rateStore(counts, `${scope} ${method} ${url}`)
      return new Child({})
    }
  }
}
