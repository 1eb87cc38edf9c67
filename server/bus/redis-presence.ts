import * as v from 'valibot'
import type { Clock, Presence } from '../domain/ports.ts'
import { PRESENCE_MS } from '../domain/presence.ts'
import { createScript, type Scripted } from './script.ts'

/** Everybody who was seen, by the clock of Redis: those of servers differ. */
const tell = createScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now, ARGV[i]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return redis.call('ZCARD', KEYS[1])
`)

const KEY = '{waggle:presence}'
/** Of one step, which Redis does nothing else beside. */
const AT_ONCE = 1_000
/** A count that is older says less than what this server has seen itself. */
const FRESH_MS = 10_000

/** Everybody who was seen by any server. What this server saw counts at once, what others saw after the next `exchange`. */
export class RedisPresence implements Presence {
  readonly #redis: Scripted
  readonly #own: Presence
  readonly #clock: Clock
  #untold = new Set<string>()
  #all = { count: 0, at: Number.NEGATIVE_INFINITY }

  constructor(redis: Scripted, own: Presence, clock: Clock) {
    this.#redis = redis
    this.#own = own
    this.#clock = clock
  }

  seen(accountId: string): void {
    this.#own.seen(accountId)
    this.#untold.add(accountId)
  }

  count(): number {
    const isFresh = this.#clock.now() - this.#all.at < FRESH_MS
    return Math.max(this.#own.count(), isFresh ? this.#all.count : 0)
  }

  /** Tells the others who was seen since the last time, and learns how many there are. */
  async exchange(): Promise<void> {
    const seen = [...this.#untold]
    this.#untold = new Set()
    for (let from = 0; from === 0 || from < seen.length; from += AT_ONCE) {
      const answer = await tell(this.#redis, [KEY], [PRESENCE_MS, ...seen.slice(from, from + AT_ONCE)])
      this.#all = { count: v.parse(v.number(), answer), at: this.#clock.now() }
    }
  }
}
