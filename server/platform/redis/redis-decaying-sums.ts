import * as v from 'valibot'
import { listOf, parse } from '#protocol/parse.ts'
import { type Amounts, type DecayingSums, KEPT_HALF_LIVES } from '../rules/decaying-sums.ts'
import { createScript, type Scripted } from './script.ts'

/**
 * ARGV: the half-life in milliseconds, then field and amount in turn; without amounts, nothing is written. Returns the
 * sums before the addition, as text.
 */
const addScript = createScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local at = tonumber(redis.call('HGET', KEYS[1], 'at') or now)
local share = 2 ^ -(math.max(0, now - at) / ARGV[1])
local before, after, adds = {}, { 'at', string.format('%.0f', now) }, false
for index = 2, #ARGV, 2 do
  local sum = (tonumber(redis.call('HGET', KEYS[1], ARGV[index]) or 0)) * share
  table.insert(before, string.format('%.17g', sum))
  if ARGV[index + 1] ~= '' then
    adds = true
    table.insert(after, ARGV[index])
    table.insert(after, string.format('%.17g', sum + ARGV[index + 1]))
  end
end
if adds then
  redis.call('HSET', KEYS[1], unpack(after))
  redis.call('PEXPIRE', KEYS[1], ${KEPT_HALF_LIVES} * ARGV[1])
end
return before
`)

/** Most fields of a reply; no sums have as many. */
const FIELDS_MAX = 10
const sumsSchema = listOf(v.pipe(v.string(), v.transform(Number), v.finite()), FIELDS_MAX)

type Options<F> = {
  /** Separates these sums from other sums in Redis. */
  name: string
  fields: readonly F[]
  halfLifeMs: number
  /** A keyed one-way function: nothing in Redis names a user or an address. */
  digest: (text: string) => string
}

/** Sums that all servers with the same Redis share. */
export class RedisDecayingSums<F extends string> implements DecayingSums<F> {
  readonly #redis: Scripted
  readonly #options: Options<F>

  constructor(redis: Scripted, options: Options<F>) {
    this.#redis = redis
    this.#options = options
  }

  add(key: string, amounts: Amounts<F>): Promise<Amounts<F>> {
    return this.#run(key, (field) => String(amounts[field]))
  }

  read(key: string): Promise<Amounts<F>> {
    return this.#run(key, () => '')
  }

  async #run(key: string, amountOf: (field: F) => string): Promise<Amounts<F>> {
    const { name, fields, halfLifeMs, digest } = this.#options
    const args = [halfLifeMs, ...fields.flatMap((field) => [field, amountOf(field)])]
    const sums = parse(sumsSchema, await addScript(this.#redis, [`waggle:${name}:{${digest(key)}}`], args))
    return Object.fromEntries(fields.map((field, index) => [field, sums[index] ?? 0])) as Amounts<F>
  }
}
