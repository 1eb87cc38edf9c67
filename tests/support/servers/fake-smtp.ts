import { createServer, type Socket } from 'node:net'
import { StateChanges } from '../state-changes.ts'

type TakenMail = { to: string; text: string }

/** A mail server as far as a client sees it. `refuse` is what it answers to the next recipients, such as '451 later'. */
export async function startFakeSmtp() {
  const taken: TakenMail[] = []
  const sockets = new Set<Socket>()
  const changes = new StateChanges()
  const state: { refuse: string | null; attempts: number } = { refuse: null, attempts: 0 }

  function serve(socket: Socket): void {
    let [buffer, to, inData] = ['', '', false]
    const say = (line: string) => socket.write(`${line}\r\n`)

    function answer(line: string): void {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO') say('250 fake.example')
      else if (verb === 'RCPT') {
        state.attempts += 1
        to = /<([^>]+)>/.exec(line)?.[1] ?? ''
        say(state.refuse ?? '250 ok')
      } else if (verb === 'DATA') {
        inData = true
        say('354 go on')
      } else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else say('250 ok')
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
        say('250 taken')
      } else answer(part)
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
    say('220 fake.example')
  }

  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    taken,
    state,
    /** Resolves as soon as it is so. */
    until: (holds: () => boolean) => changes.until(holds),
    async stop(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
