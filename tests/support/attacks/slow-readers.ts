import { connect, type Socket } from 'node:net'
import { OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  sockets: number
  path: string
  /** Requests that each socket sends without waiting for responses. */
  requestsEach: number
  /** Time after which open sockets are destroyed. */
  forMs: number
}

const NOTICE_MS = 1_000

/** Sends many requests on each socket and never reads a response. Counts how each socket ended. */
export async function holdUnreadAnswers(origin: string, options: Options): Promise<Outcomes> {
  const { sockets, path, requestsEach, forMs } = options
  const { port } = new URL(origin)
  const counter = new OutcomeCounter()
  const cut = new Set<Socket>()
  const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requestsEach)
  const open = Array.from({ length: sockets }, () => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.once('close', () => cut.add(socket))
    socket.pause()
    socket.write(text)
    return socket
  })
  await new Promise((resolve) => setTimeout(resolve, forMs))
  // A paused socket does not emit "close".
  for (const socket of open) socket.resume()
  await new Promise((resolve) => setTimeout(resolve, NOTICE_MS))
  for (const socket of open) {
    counter.add(cut.has(socket) ? 'ended by the server' : 'held to the end')
    socket.destroy()
  }
  return counter.counts
}
