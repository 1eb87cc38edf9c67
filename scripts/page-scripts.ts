import { globSync } from 'node:fs'
import { type BuildOptions, build, minifySync } from 'vite'
import { buildTargets } from './browser-floor.ts'

/** Builds a script that is part of the pages' HTML: a classic script, one file without imports. */
async function bundle(input: string, options: BuildOptions, define: Record<string, string> = {}): Promise<string> {
  const rolldownOptions = { input, output: { format: 'iife' } } as const
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define,
    build: { write: false, modulePreload: { polyfill: false }, rolldownOptions, ...options },
  })
  const outputs = [result].flat().flatMap((built) => ('output' in built ? built.output : []))
  const [chunk] = outputs
  if (chunk?.type !== 'chunk' || outputs.length > 1) throw new Error(`${input} is not one file`)
  return chunk.code
}

const modern: BuildOptions = { target: buildTargets, minify: true }

function checked(code: string): string {
  if (code.includes('</script')) throw new Error('A script inside the page would end its own element')
  return code.trim()
}

/** Resolves with the code that starts the network worker, for the build in `dist`. */
export async function buildFirstScript(dist: string): Promise<string> {
  const workers = globSync('assets/network.worker-*.js', { cwd: dist })
  const [worker] = workers
  if (worker === undefined || workers.length > 1) throw new Error(`The build has ${workers.length} network workers`)
  const define = { NETWORK_WORKER: JSON.stringify(`/${worker}`) }
  return checked(await bundle('src/app/first-script.ts', modern, define))
}

/** Resolves with the code that keeps a press on a prerendered page for the app. */
export async function buildArticleScript(): Promise<string> {
  return checked(await bundle('src/app/article-script.ts', modern))
}

/** Resolves with the code that tells what the browser lacks, in ES5 as it is written. */
export async function buildBrowserCheck(): Promise<string> {
  const code = await bundle('src/app/browser-check.ts', { target: 'es2015', minify: false })
  // Compressing would write strings as templates, which ES5 does not have. Removing line breaks would do so too.
  const shortened = minifySync('browser-check.js', code, {
    compress: false,
    mangle: true,
    codegen: { removeWhitespace: false },
  })
  return checked(shortened.code.replace(/\n\s*/g, '\n'))
}
