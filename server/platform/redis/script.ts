import { createHash } from 'node:crypto'

/** The commands for scripts, which clients of one Redis and of a Redis Cluster have in common. */
export type Scripted = {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  evalSha(digest: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** Returns a function that runs the Lua script. Redis receives the script's text once, and later only its digest. */
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
