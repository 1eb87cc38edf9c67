import { readdirSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

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

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file)
  const quality = extname(file) === '.bin' ? BINARY_QUALITY : BEST_QUALITY
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

/** Compresses files of a build on all cores. The server sends the compressed copy, which is beside the file, to browsers that accept it. */
export async function compressFiles(folder: string): Promise<void> {
  await Promise.all(
    filesBelow(folder)
      .filter((file) => compressible.has(extname(file)))
      .map(compressFile),
  )
}
