import { resolve } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { CallContext } from '../../../src/call/use-call.ts'
import { ConsoleContext } from '../../../src/console/screens/hooks.ts'

/** Builds one module with the project's configuration and returns the script. */
async function scriptOf(entry: string, mode: 'production' | 'profiling'): Promise<string> {
  const result = await build({
    mode,
    logLevel: 'silent',
    build: {
      write: false,
      copyPublicDir: false,
      sourcemap: false,
      manifest: false,
      rolldownOptions: { preserveEntrySignatures: 'allow-extension' },
      lib: { entry: resolve(entry), formats: ['es'], fileName: 'built' },
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]) as { output: { type: string; code?: string }[] }[]
  return outputs.flatMap(({ output }) => output.map(({ code }) => code ?? '')).join('\n')
}

/** Returns the first of the script that matches, not the script: a failure would print all of it. */
function found(script: string, pattern: RegExp): string | null {
  return script.match(pattern)?.[0] ?? null
}

test('the profiling build joins stacks; the production build has nothing of it', async () => {
  const joined = /was sent by|slow request/
  expect(found(await scriptOf('workers/rpc.ts', 'profiling'), joined)).not.toBeNull()
  expect(found(await scriptOf('workers/rpc.ts', 'production'), joined)).toBeNull()
})

test('the profiling build names signals by their variable and file; the production build does not', async () => {
  const named = /name:\s*["'`]isPeerTyping[^"'`]*chat\.ts/
  expect(found(await scriptOf('src/call/state/chat.ts', 'profiling'), named)).not.toBeNull()
  expect(found(await scriptOf('src/call/state/chat.ts', 'production'), named)).toBeNull()
})

test('the profiling build keeps the names of components; the production build shortens them', async () => {
  const component = /["'`]PictureMenu["'`]/
  expect(found(await scriptOf('src/devices/screens/device-menu.tsx', 'profiling'), component)).not.toBeNull()
  expect(found(await scriptOf('src/devices/screens/device-menu.tsx', 'production'), component)).toBeNull()
})

test('contexts, which have no name of their own, have one for the profiler', () => {
  expect([CallContext.displayName, ConsoleContext.displayName]).toEqual(['Call', 'Console'])
})
