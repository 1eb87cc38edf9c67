import * as v from 'valibot'
import { parse, recordsOf } from '#protocol/parse.ts'
import type { NoteLimits, Notes } from '../rules/notes.ts'
import { createScript, type Scripted } from './script.ts'

const addition = `
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], -ARGV[2], -1)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
`
const push = createScript(addition)
const add = createScript(`${addition}
return redis.call('LRANGE', KEYS[1], 0, -1)
`)
const take = createScript(`
local notes = redis.call('LRANGE', KEYS[1], 0, -1)
redis.call('UNLINK', KEYS[1])
return notes
`)

type Options<N> = NoteLimits & {
  /** Separates these notes from other notes about the same users. */
  name: string
  /** A keyed one-way function: nothing in Redis names a user. */
  digest: (text: string) => string
  /** Checks a note that was read from Redis. */
  schema: v.GenericSchema<unknown, N>
}

/** Notes that all servers with the same Redis share. */
export class RedisNotes<N> implements Notes<N> {
  readonly #redis: Scripted
  readonly #options: Options<N>

  constructor(redis: Scripted, options: Options<N>) {
    this.#redis = redis
    this.#options = options
  }

  async add(user: string, note: N): Promise<N[]> {
    return this.#read(await add(this.#redis, [this.#key(user)], this.#additionOf(note)))
  }

  async push(user: string, note: N): Promise<void> {
    await push(this.#redis, [this.#key(user)], this.#additionOf(note))
  }

  async take(user: string): Promise<N[]> {
    return this.#read(await take(this.#redis, [this.#key(user)], []))
  }

  #additionOf(note: N): (string | number)[] {
    const { most, keepMs } = this.#options
    return [JSON.stringify(note), most, keepMs]
  }

  #key(user: string): string {
    const { name, digest } = this.#options
    return `waggle:${name}:{${digest(user)}}`
  }

  #read(notes: unknown): N[] {
    const { schema } = this.#options
    return parse(recordsOf(v.pipe(v.string(), v.parseJson(), schema)), notes)
  }
}
