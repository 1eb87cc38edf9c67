import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { CurtainFiles } from '#workers/curtain/contract.ts'
import { test } from './people.ts'

/** The one file of the build that fits. */
function built(pattern: string): string {
  const [file, ...others] = globSync(`dist/assets/${pattern}`)
  if (file === undefined || others.length > 0) throw new Error(`Not one file ${pattern}`)
  return file
}

function served(pattern: string): { url: string; digest: string } {
  const file = built(pattern)
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
  return { url: file.replace('dist', ''), digest }
}

test('the safety curtain of the build runs under the policy of its worker, and only there', async ({
  page,
  server,
}) => {
  const sent: string[] = []
  page.on('request', (request) => void sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.goto(server.url)
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible()
  expect(sent.filter((request) => /curtain|tfjs|picture-looks/.test(request))).toEqual([])
  expect(readFileSync('dist/service-worker.js', 'utf8')).not.toMatch(/curtain\.worker|tfjs|picture-looks|curtain-/)

  const files: CurtainFiles = {
    wasm: served('tfjs-backend-wasm-simd-*.wasm'),
    layers: served('curtain-layers-*.json'),
    weights: served('curtain-weights-*.bin'),
  }
  const script = built('curtain.worker-*.js').replace('dist', '')
  const seen = await page.evaluate(
    async ({ script, files }) => {
      const emptyProgram = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)
      const pageRuns = await WebAssembly.compile(emptyProgram).then(
        () => true,
        () => false,
      )
      const worker = new Worker(script, { type: 'module' })
      /** Sends a request as workers/rpc.ts does. */
      const ask = (id: string, name: string, argument: unknown, moved: Transferable[] = []) =>
        new Promise<unknown>((resolve, reject) => {
          worker.addEventListener('error', () => reject(new Error('The worker died')))
          worker.addEventListener('message', ({ data }: MessageEvent<{ id: string; value: unknown }>) => {
            if (data.id === id) resolve(data.value)
          })
          const request = { id: 1, name, abortable: false, measured: false, traced: false }
          const values = [request, argument].map((value) => ({ type: 'RAW', value }))
          worker.postMessage({ id, type: 'APPLY', path: ['dispatch'], argumentList: values }, moved)
        })
      const loaded = await ask('1', 'load', files)
      const picture = await createImageBitmap(new ImageData(64, 48))
      const looked = await ask('2', 'look', picture, [picture])
      worker.terminate()
      return { pageRuns, loaded, looked }
    },
    { script, files },
  )
  expect(seen).toEqual({
    pageRuns: false,
    loaded: { value: expect.any(Number), ran: null },
    looked: { value: { flagged: false, score: expect.any(Number) }, ran: null },
  })
  const requests = sent.filter((request) => /curtain|tfjs/.test(request))
  expect(requests.toSorted()).toEqual(
    [script, ...Object.values(files).map(({ url }) => url)].map((path) => `GET ${path}`).toSorted(),
  )
})
