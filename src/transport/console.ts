import type { ConsoleApi } from '../domain/ports.ts'
import type { Workers } from './workers.ts'

export function createConsoleApi(workers: Pick<Workers, 'network'>): ConsoleApi {
  return { request: (name, input) => workers.network().requestConsole(name, input) }
}
