import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { readCurtainModel } from './curtain-model.ts'

/** Makes the files of the safety curtain's model, which are not in the repository, and tells the page their URLs and digests. */

const MODULE = 'virtual:curtain-files'
const LOADED = `\0${MODULE}`
const folder = join(dirname(fileURLToPath(import.meta.url)), '../workers/curtain/model')
const wasmPath = join(
  dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm')),
  'tfjs-backend-wasm-simd.wasm',
)

/** Writes the file unless it is there with the same bytes: a newer file would count as a change of the sources. */
function keep(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes)
  return path
}

async function makeFiles(): Promise<{ model: string; paths: Record<'wasm' | 'layers' | 'weights', string> }> {
  const { model, weights } = await readCurtainModel()
  mkdirSync(folder, { recursive: true })
  const layers = keep('curtain-layers.json', Buffer.from(JSON.stringify(model)))
  return { model: model.name, paths: { wasm: wasmPath, layers, weights: keep('curtain-weights.bin', weights) } }
}

/** Provides `virtual:curtain-files`. A build gives each file a name with its hash. */
export function curtainFiles(): Plugin {
  return {
    name: 'curtain-files',
    resolveId: { filter: { id: new RegExp(`^${MODULE}$`) }, handler: () => LOADED },
    load: {
      filter: { id: new RegExp(`^${LOADED}$`) },
      async handler() {
        const { model, paths } = await makeFiles()
        const entries = Object.entries(paths)
        const imports = entries.map(([name, path]) => `import ${name} from ${JSON.stringify(`${path}?url`)}`)
        const files = entries.map(([name, path]) => {
          const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
          return `${name}: { url: ${name}, digest: '${digest}' }`
        })
        return `${imports.join('\n')}\nexport const model = '${model}'\nexport const files = { ${files.join(', ')} }\n`
      },
    },
  }
}
