import { type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

/** Returns place and kind of an error. The message of a failed check quotes its input; other fields may hold anything. */
function describeError(error: Error & { code?: unknown }): Record<string, unknown> {
  const { name, message, code, stack = '' } = error
  const frames = stack.slice(stack.indexOf('\n    at '))
  return {
    type: name,
    ...(code === undefined ? {} : { code }),
    ...(name === 'ValiError' ? {} : { message }),
    stack: frames,
  }
}

/**
 * Creates the log of the server. Lines never contain a token, a cookie or an address of a person: a request is logged
 * by method and path only. `ids` returns the fields that join a line to its trace.
 */
export function createServerLog(config: Config, ids: (() => object) | undefined): Logger {
  return pino({
    level: config.logLevel,
    ...(ids && { mixin: ids }),
    redact: [
      'req.headers',
      'res.headers',
      '*.email',
      '*.note',
      '*.token',
      '*.accessToken',
      '*.cookie',
      '*.authorization',
    ],
    serializers: {
      err: describeError,
      req: (request: { method?: string; url?: string }) => ({
        method: request.method,
        path: request.url?.split('?', 1)[0],
      }),
    },
  })
}
