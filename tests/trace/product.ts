import { startServerProcess } from '../support/servers/server-process.ts'
import { run, thenEnd } from './ending.ts'

/** A built product: the folder of its pages, how they are built, and the program that serves them. */
export type Product = { dist: string; build: readonly string[]; server: string }

/** This tree, in the profiling build, which draws React's tracks. It has a folder of its own: `npm start` never serves it. */
export const profilingProduct: Product = {
  dist: 'test-results/profiling-build',
  build: ['--if-needed', '--profiling', '--into', 'test-results/profiling-build'],
  server: 'tests/trace/profiling-server.ts',
}
/** This tree as visitors get it. */
export const visitorsProduct: Product = { dist: 'dist', build: ['--if-needed'], server: 'server/main.ts' }
/** A fresh checkout of another commit, whose scripts may not know all options. */
export const otherProduct: Product = { dist: 'dist', build: ['--profiling'], server: 'server/main.ts' }

export async function buildProduct({ build }: Product): Promise<void> {
  await run(process.execPath, 'scripts/build.ts', ...build)
}

/** Does `work` with a server of the product, at the address that it passes on. */
export async function withServer<T>(
  { server: program }: Product,
  env: Record<string, string>,
  work: (origin: string) => Promise<T>,
): Promise<T> {
  const server = await startServerProcess(env, undefined, program)
  return await thenEnd(
    () => work(server.url),
    async () => void (await server.stop()),
  )
}
