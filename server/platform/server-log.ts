import { type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'

/** The place and kind of an error. A failed check quotes what it checked, and other fields of an error may hold anything. */
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
 * Creates the log of the server. No token, cookie or address of a person ever reaches a line: requests are named by method and path
 * alone. `ids` returns what joins a line to the trace in which it was written.
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
