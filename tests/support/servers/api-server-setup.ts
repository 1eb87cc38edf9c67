import type { TestProject } from 'vitest/node'
import { startApiServer } from './api-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    apiServer: string
  }
}

/** One test server for all browser tests, which find its address by `inject('apiServer')`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startApiServer()
  project.provide('apiServer', server.url)
  return server.close
}
