import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** HTML is not compressed here because the server writes its configuration into the pages. */
const compressible = new Set(['.js', '.css', '.svg', '.json', '.webmanifest', '.txt', '.wasm', '.bin'])

/** For the weights of a model: the best quality takes half a minute and saves half a percent. */
const BINARY_QUALITY = 5
const BEST_QUALITY = 11

export function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Writes beside each file of a build that can be compressed what the server sends to browsers that accept it. */
export function compressFiles(folder: string): void {
  for (const file of filesBelow(folder)) {
    if (!compressible.has(extname(file))) continue
    const bytes = readFileSync(file)
    const quality = extname(file) === '.bin' ? BINARY_QUALITY : BEST_QUALITY
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
