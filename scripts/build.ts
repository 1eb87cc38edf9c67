import { existsSync, statSync } from 'node:fs'
import { build } from 'vite'
import { compressFiles, filesBelow } from './compress-files.ts'
import { prerenderPages } from './prerender.ts'
import { buildServiceWorker } from './service-worker.ts'

/**
 * Builds the single-page application into dist/ and compresses it; with --if-needed only when a source is newer, with
 * --profiling with React's tracks for the browser's profiler.
 */

const sources = ['index.html', 'package.json', 'vite.config.ts', 'protocol', 'public', 'src', 'workers']
const built = 'dist/index.html'

function isBuilt(): boolean {
  if (!existsSync(built)) return false
  const builtAt = statSync(built).mtimeMs
  return sources
    .filter(existsSync)
    .every((source) => filesBelow(source).every((file) => statSync(file).mtimeMs <= builtAt))
}

if (!process.argv.includes('--if-needed') || !isBuilt()) {
  await build({ logLevel: 'warn', mode: process.argv.includes('--profiling') ? 'profiling' : 'production' })
  await prerenderPages('dist')
  await buildServiceWorker('dist')
  compressFiles('dist')
}
