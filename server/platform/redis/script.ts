import { createHash } from 'node:crypto'

/** What a connection to one Redis and one to a Redis Cluster have in common. */
export type Scripted = {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  evalSha(digest: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** A Lua script that Redis is sent once and then knows by its digest. */
export function createScript(lua: string) {
  const digest = createHash('sha1').update(lua).digest('hex')
  return async (redis: Scripted, keys: string[], args: (string | number)[]): Promise<unknown> => {
    const options = { keys, arguments: args.map(String) }
    try {
      return await redis.evalSha(digest, options)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(lua, options)
    }
  }
}
