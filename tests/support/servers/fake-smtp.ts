import { createServer, type Socket } from 'node:net'
import { StateChanges } from '../state-changes.ts'

type ReceivedEmail = { to: string; text: string }

/** An SMTP server on loopback. `state.refuse` is its reply to the next recipients, such as '451 later'; null accepts them. */
export async function startFakeSmtp() {
  const taken: ReceivedEmail[] = []
  const sockets = new Set<Socket>()
  const changes = new StateChanges()
  const state: { refuse: string | null; attempts: number } = { refuse: null, attempts: 0 }

  function serve(socket: Socket): void {
    let [buffer, to, inData] = ['', '', false]
    const reply = (line: string) => socket.write(`${line}\r\n`)

    function handle(line: string): void {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO') reply('250 fake.example')
      else if (verb === 'RCPT') {
        state.attempts += 1
        to = /<([^>]+)>/.exec(line)?.[1] ?? ''
        reply(state.refuse ?? '250 ok')
      } else if (verb === 'DATA') {
        inData = true
        reply('354 go on')
      } else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else reply('250 ok')
    }

    function read(): void {
      const mark = inData ? '\r\n.\r\n' : '\r\n'
      const end = buffer.indexOf(mark)
      if (end === -1) return
      const part = buffer.slice(0, end)
      buffer = buffer.slice(end + mark.length)
      if (inData) {
        inData = false
        taken.push({ to, text: part })
        reply('250 taken')
      } else handle(part)
      changes.notify()
      read()
    }

    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      buffer += data.toString('latin1')
      read()
    })
    reply('220 fake.example')
  }

  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    taken,
    state,
    /** Resolves once `holds` returns true. */
    until: (holds: () => boolean) => changes.until(holds),
    async stop(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
