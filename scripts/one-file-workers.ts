import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * In browser tests, serves each worker as one file. The development server would serve dozens of modules, whose
 * requests would take most of the time of a test that starts a worker.
 */
export function oneFileWorkers(): Plugin {
  const built = new Map<string, Promise<string>>()
  return {
    name: 'one-file-workers',
    apply: (_, { mode }) => mode === 'test',
    configureServer({ config: { root }, middlewares }) {
      middlewares.use(async (request, response, next) => {
        const [path = '', query = ''] = (request.url ?? '').split('?')
        if (!path.endsWith('.worker.ts') || !query.startsWith('worker_file')) return next()
        const code = built.get(path) ?? bundle(root, join(root, path))
        built.set(path, code)
        response.setHeader('content-type', 'text/javascript')
        response.end(await code)
      })
    },
  }
}

async function bundle(root: string, input: string): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    mode: 'test',
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: { input, output: { format: 'es', codeSplitting: false } },
    },
  })
  const [output] = [result].flat()
  if (!output || !('output' in output)) throw new Error(`${input} was not built`)
  return output.output[0].code
}
