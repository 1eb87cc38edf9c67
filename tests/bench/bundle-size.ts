import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import * as v from 'valibot'
import { build, type InlineConfig } from 'vite'

const manifestSchema = v.record(
  v.string(),
  v.object({
    file: v.string(),
    isEntry: v.optional(v.boolean()),
    imports: v.optional(v.array(v.string()), []),
  }),
)

function brotliBytes(path: string): number {
  return brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
}

/** Bytes of what is loaded before the first screen is drawn: the entry and what it waits for, each with all that it imports. */
async function splashBytes(config: InlineConfig, waitedFor: string[] = []): Promise<number> {
  const outDir = mkdtempSync(join(tmpdir(), 'waggle-bundle-'))
  try {
    await build({ ...config, logLevel: 'error', build: { outDir, emptyOutDir: true, manifest: 'manifest.json' } })
    const manifest = v.parse(manifestSchema, JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8')))
    const wanted = [...Object.keys(manifest).filter((name) => manifest[name]?.isEntry), ...waitedFor]
    for (const name of wanted) {
      wanted.push(...(manifest[name]?.imports ?? []).filter((next) => !wanted.includes(next)))
    }
    return wanted.reduce((sum, name) => sum + brotliBytes(join(outDir, manifest[name]?.file ?? '')), 0)
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

/** JavaScript of the splash route in brotli bytes, against the smallest page of the same stack. Workers load beside it. */
export async function benchBundleSize(): Promise<{ splash: number; floor: number; ratio: number }> {
  const floor = await splashBytes({ root: 'tests/bench/floor', configFile: false, plugins: [react()] })
  const splash = await splashBytes({}, ['src/ui/texts/en/first.ts'])
  return { splash, floor, ratio: splash / floor }
}
