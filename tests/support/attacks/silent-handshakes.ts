import { WebSocket } from 'ws'
import { OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = {
  /** A hub token for each account. */
  tokens: readonly string[]
  socketsPerAccount: number
  /** Time after which open sockets are terminated; it begins when each was accepted or refused. */
  forMs: number
  /** Called when a socket was accepted or refused. */
  answered?: () => void
}

/** Opens WebSockets to the hub and never sends the hub's handshake. Counts how each ended. */
export async function holdSilentHandshakes(origin: string, options: Options): Promise<Outcomes> {
  const { tokens, socketsPerAccount, forMs, answered } = options
  const counter = new OutcomeCounter()
  const open = new Set<WebSocket>()
  let unanswered = tokens.length * socketsPerAccount
  let cutAll: NodeJS.Timeout | undefined
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const settle = () => {
    answered?.()
    unanswered -= 1
    if (unanswered === 0) cutAll = setTimeout(end, forMs)
  }
  const ended = tokens.flatMap((token) =>
    Array.from({ length: socketsPerAccount }, async () => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/chathub`, {
        headers: { authorization: `Bearer ${token}` },
        perMessageDeflate: false,
      })
      let outcome: string | number = 'failed'
      socket.on('open', () => {
        outcome = 'opened, ended by the server'
        open.add(socket)
        settle()
      })
      socket.on('unexpected-response', (_request, response) => {
        outcome = response.statusCode ?? outcome
        settle()
        response.resume()
        socket.terminate()
      })
      // "close" always follows.
      socket.on('error', () => undefined)
      await new Promise((resolve) => socket.once('close', resolve))
      counter.add(outcome === 'opened, ended by the server' && !open.delete(socket) ? 'held to the end' : outcome)
    }),
  )
  await Promise.race([over, Promise.all(ended)])
  clearTimeout(cutAll)
  for (const socket of open) {
    open.delete(socket)
    socket.terminate()
  }
  await Promise.all(ended)
  return counter.counts
}
