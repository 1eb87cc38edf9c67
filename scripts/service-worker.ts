import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

/** What the product needs to start without a network. The large faces are kept as they are seen, the console is not a user's. */
const notKept = ['assets/{moderation-page,create-moderation,console}-*']
const kept = ['index.html', 'assets/*.{js,css,woff2}', 'faces/64/*', 'icon.svg', 'default-face.svg']

function revisionOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 16)
}

/** Builds the service worker into `dist`, with the list of what it keeps. */
export async function buildServiceWorker(dist: string): Promise<void> {
  const files = globSync(kept, { cwd: dist, exclude: notKept }).sort()
  const precached = files.map((file) => ({
    url: `/${file}`,
    // The name of an asset has its hash.
    revision: file.startsWith('assets/') ? null : revisionOf(join(dist, file)),
  }))
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { PRECACHED: JSON.stringify(precached), 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: {
        input: 'workers/offline/service.worker.ts',
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  })
}
