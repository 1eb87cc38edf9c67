import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../../support/servers/server.ts'
import { credentialsIn, moderatorCommand } from '../../support/stores/moderators.ts'

const list = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ do: 'list' }) }

test('commands are accepted on loopback with the key of this run, which only the owner can read', async () => {
  const server = await startServer()
  try {
    const file = join(server.dataDir, 'operator.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const { port, key } = JSON.parse(await readFile(file, 'utf8'))
    const send = (authorization?: string) =>
      fetch(`http://127.0.0.1:${port}/`, {
        ...list,
        headers: { ...list.headers, ...(authorization && { authorization }) },
      })
    for (const wrong of [undefined, 'x', Buffer.alloc(32).toString('base64url'), `${key}AA`])
      expect((await send(wrong)).status).toBe(403)
    expect(await (await send(key)).json()).toEqual({ text: 'There are no moderators yet.' })
    expect((await fetch(`http://[::1]:${port}/`, list).catch(() => null))?.status).toBeUndefined()
    await server.restart()
    expect((await send(key).catch(() => null))?.status ?? 403).toBe(403)
  } finally {
    await server.stop()
  }
})

test('the file of a killed server does no harm, even if another program has its port', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'operator-commands-'))
  const stranger = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  const address = stranger.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const leaveBehind = () => writeFile(join(dataDir, 'operator.json'), JSON.stringify({ port, key: 'k'.repeat(43) }))
  try {
    await leaveBehind()
    expect(credentialsIn(await moderatorCommand(dataDir, 'add', 'mia'), 'mia').password).not.toBe('')

    const server = await startServer({}, { dataDir })
    await leaveBehind()
    const failure = await moderatorCommand(dataDir, 'list').catch((error: { stderr: string }) => error)
    expect(failure).toHaveProperty('stderr', expect.stringMatching(/^DATA_DIR .* is used by another server\n$/))
    await server.stop()
  } finally {
    stranger.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
