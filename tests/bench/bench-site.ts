import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import fastify from 'fastify'
import { build } from 'vite'

/** The built page of this folder, and an API that answers every request the same. */
export async function openBenchSite(root: string): Promise<{ url: string; close(): Promise<void> }> {
  const outDir = mkdtempSync(join(tmpdir(), 'waggle-bench-'))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 },
  })
  const app = fastify()
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
  await app.register(fastifyStatic, { root: outDir })
  app.post('/api/*', () => ({ message: 'Valid' }))
  app.get('/api/*', () => ({ onlineUsers: 1 }))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: address.replace('127.0.0.1', 'localhost'),
    async close() {
      await app.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
