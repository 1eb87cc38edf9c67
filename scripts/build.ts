import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { prerenderPages } from './prerender.ts'
import { buildServiceWorker } from './service-worker.ts'

/**
 * Builds the single-page application into dist/ and compresses it; with --if-needed only when a source is newer, with
 * --profiling with React's tracks for the browser's profiler.
 */

const sources = ['index.html', 'package.json', 'vite.config.ts', 'protocol', 'public', 'src', 'workers']
/** HTML is not compressed here because the server writes its configuration into the pages. */
const compressible = new Set(['.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])
const built = 'dist/index.html'

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function isBuilt(): boolean {
  if (!existsSync(built)) return false
  const builtAt = statSync(built).mtimeMs
  return sources
    .filter(existsSync)
    .every((source) => filesBelow(source).every((file) => statSync(file).mtimeMs <= builtAt))
}

function compress(folder: string): void {
  for (const file of filesBelow(folder)) {
    if (!compressible.has(extname(file))) continue
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

if (!process.argv.includes('--if-needed') || !isBuilt()) {
  await build({ logLevel: 'warn', mode: process.argv.includes('--profiling') ? 'profiling' : 'production' })
  await prerenderPages('dist')
  await buildServiceWorker('dist')
  compress('dist')
}
