import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { compressFiles, filesBelow } from './compress-files.ts'
import { buildRenderer, prerenderPages } from './prerender.ts'
import { buildServiceWorker } from './service-worker.ts'

/**
 * Builds the single-page application into dist/ and compresses it. With --if-needed it builds only if a source is
 * newer, with --profiling for the browser's profiler with React's tracks, with --into into another folder.
 */

const { values } = parseArgs({
  options: {
    'if-needed': { type: 'boolean', default: false },
    profiling: { type: 'boolean', default: false },
    into: { type: 'string', default: 'dist' },
  },
})
const dist = values.into

const sources = ['index.html', 'package.json', 'vite.config.ts', 'protocol', 'public', 'src', 'workers']
const built = join(dist, 'index.html')

function isBuilt(): boolean {
  if (!existsSync(built)) return false
  const builtAt = statSync(built).mtimeMs
  return sources
    .filter(existsSync)
    .every((source) => filesBelow(source).every((file) => statSync(file).mtimeMs <= builtAt))
}

if (!values['if-needed'] || !isBuilt()) {
  const [renderer] = await Promise.all([
    buildRenderer(),
    build({
      logLevel: 'warn',
      mode: values.profiling ? 'profiling' : 'production',
      build: { outDir: dist },
    }),
  ])
  await prerenderPages(dist, renderer)
  await buildServiceWorker(dist)
  await compressFiles(dist)
}
