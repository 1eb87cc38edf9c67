import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import type { Count, Counts } from '../rules/counts.ts'
import { createScript, type Scripted } from './script.ts'

const add = createScript(`
if ARGV[2] == '0' and redis.call('EXISTS', KEYS[1]) == 0 then return { 0, 0 } end
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { count, left }
`)
const forget = createScript("return redis.call('UNLINK', KEYS[1])")

const countSchema = v.strictTuple([v.number(), v.number()])

/** Counts that all servers with the same Redis share. `digest` hides the users and addresses that keys name. */
export class RedisCounts implements Counts {
  readonly #redis: Scripted
  readonly #digest: (text: string) => string

  constructor(redis: Scripted, digest: (text: string) => string) {
    this.#redis = redis
    this.#digest = digest
  }

  async add(key: string, windowMs: number, amount = 1): Promise<Count> {
    const [count, leftMs] = parse(countSchema, await add(this.#redis, [this.#name(key)], [windowMs, amount]))
    return { count, leftMs }
  }

  async forget(key: string): Promise<void> {
    await forget(this.#redis, [this.#name(key)], [])
  }

  #name(key: string): string {
    // Each count has a different hash tag, so that counts are spread over a Redis Cluster.
    return `waggle:count:{${this.#digest(key)}}`
  }
}
