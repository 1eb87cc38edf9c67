import { globSync } from 'node:fs'
import { build } from 'vite'

/** Resolves with the code of the script inside the page, for the build in `dist`. */
export async function buildFirstScript(dist: string): Promise<string> {
  const workers = globSync('assets/network.worker-*.js', { cwd: dist })
  const [worker] = workers
  if (worker === undefined || workers.length > 1) throw new Error(`The build has ${workers.length} network workers`)
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { NETWORK_WORKER: JSON.stringify(`/${worker}`) },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: 'src/app/first-script.ts', output: { format: 'iife' } },
    },
  })
  const outputs =
    'output' in result ? result.output : Array.isArray(result) ? result.flatMap(({ output }) => output) : []
  const [chunk] = outputs
  if (chunk?.type !== 'chunk' || outputs.length > 1) throw new Error('The first script is not one file')
  if (chunk.code.includes('</script')) throw new Error('The first script would end its own element')
  return chunk.code.trim()
}
