import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { buildTargets } from './browser-floor.ts'

/**
 * What the browser caches to start offline. Large faces are cached when they are first shown; the console is not for users, and the
 * pages contain the texts of `unsupported`. Tracks are for developers. The safety curtain is loaded in a call, which needs the network.
 */
const excluded = ['assets/{console,console.worker,create-console,tracks,unsupported,curtain.worker,picture-looks}-*']
const cached = ['index.html', 'assets/*.{js,css,woff2}', 'faces/64/*', 'icon.svg', 'default-face.svg']

function revisionOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 16)
}

/** Builds the service worker into `dist`, with the list of the files to precache. */
export async function buildServiceWorker(dist: string): Promise<void> {
  const files = globSync(cached, { cwd: dist, exclude: excluded }).sort()
  const precached = files.map((file) => ({
    url: `/${file}`,
    // An asset's name contains its hash.
    revision: file.startsWith('assets/') ? null : revisionOf(join(dist, file)),
  }))
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: {
      PRECACHED: JSON.stringify(precached),
      VERSION: JSON.stringify(createHash('sha256').update(JSON.stringify(precached)).digest('base64url').slice(0, 16)),
      'process.env.NODE_ENV': '"production"',
    },
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: buildTargets,
      rolldownOptions: {
        input: 'workers/offline/service.worker.ts',
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  })
}
