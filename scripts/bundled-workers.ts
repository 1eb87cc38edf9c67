import { build, type Plugin } from 'vite'

/** What the development server adds to the address of a worker's script. */
const MARK = /\.worker\.ts\?worker_file/

async function bundle(file: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'error',
    mode: 'test',
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: { input: file, output: { codeSplitting: false, sourcemap: 'inline' } },
    },
  })
  const [first] = [made].flat()
  const code = first && 'output' in first ? first.output[0].code : undefined
  if (code === undefined) throw new Error(`${file} could not be bundled`)
  return code
}

/** In tests, serves a worker as one file: the development server would send dozens of modules each time a test starts one. */
export function bundledWorkers(): Plugin {
  const bundles = new Map<string, Promise<string>>()
  return {
    name: 'bundled-workers',
    apply: (_, { mode }) => mode === 'test',
    enforce: 'pre',
    async load(id) {
      if (!MARK.test(id)) return null
      const [file = ''] = id.split('?')
      const code = bundles.get(file) ?? bundle(file)
      bundles.set(file, code)
      return code
    },
  }
}
