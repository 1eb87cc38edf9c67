import type { ConsoleApi } from '../domain/ports.ts'
import type { Workers } from './workers.ts'

export function createConsoleApi(workers: Pick<Workers, 'network'>): ConsoleApi {
  return { call: (name, input) => workers.network().callConsole(name, input) }
}
