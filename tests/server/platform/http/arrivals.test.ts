import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startServerProcess } from '../../../support/servers/server-process.ts'

/** More than Node lets wait by itself. */
const CROWD = 1_000

test('a crowd that comes while the server is busy is not turned away', async () => {
  const server = await startServerProcess()
  onTestFinished(async () => void (await server.stop()))
  const room = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  process.kill(server.pid, 'SIGSTOP')
  const port = Number(new URL(server.url).port)
  const sockets = Array.from({ length: Math.min(CROWD, room) }, () => connect({ port, host: '127.0.0.1' }))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    process.kill(server.pid, 'SIGCONT')
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  expect(sockets.every(({ readyState }) => readyState === 'open')).toBe(true)
})
