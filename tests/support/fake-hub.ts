import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

const END = '\u001e'

/** An invocation as a client sent it. */
export type Invocation = { target: string; arguments: unknown[]; invocationId?: string }
/** One client's connection, seen from the hub. */
type HubLine = {
  url: string
  id: string
  /** Sends the messages in one frame. */
  send(...messages: object[]): void
  /** Ends the TCP connection without a word. */
  cut(): void
}

/** A hub that speaks the frames of SignalR and decides nothing: it answers invocations as `answer` says. */
export async function startFakeHub(answer: (invocation: Invocation) => string | null = () => null) {
  const lines: HubLine[] = []
  const invocations: Invocation[] = []
  const negotiated: string[] = []
  let refusing = false
  /** Negotiations wait for it. */
  let gate: Promise<void> = Promise.resolve()
  let connections = 0

  const http = createServer(async (request, response) => {
    negotiated.push(request.headers.authorization ?? '')
    await gate
    if (refusing) {
      response.writeHead(503).end()
      return
    }
    connections += 1
    const id = `c${connections}`
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        negotiateVersion: 1,
        connectionId: id,
        connectionToken: id,
        availableTransports: [
          { transport: 'ServerSentEvents', transferFormats: ['Text'] },
          { transport: 'WebSockets', transferFormats: ['Text'] },
        ],
      }),
    )
  })
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (socket, request) => serve(socket, request.url ?? ''))

  function serve(socket: WebSocket, url: string): void {
    const id = new URL(url, 'http://hub').searchParams.get('id') ?? ''
    const line: HubLine = {
      url,
      id,
      send: (...messages) => socket.send(messages.map((message) => JSON.stringify(message) + END).join('')),
      cut: () => socket.terminate(),
    }
    let greeted = false
    socket.on('message', (data) => {
      for (const text of data.toString().split(END).filter(Boolean)) {
        if (!greeted) {
          greeted = true
          // The first event comes in the frame of the handshake.
          const event = { type: 1, target: 'OnUserConnected', arguments: [id] }
          socket.send(`{}${END}${JSON.stringify(event)}${END}`)
          lines.push(line)
          continue
        }
        const message: Invocation & { type: number } = JSON.parse(text)
        if (message.type !== 1) continue
        invocations.push(message)
        const error = answer(message)
        line.send({ type: 3, invocationId: message.invocationId, ...(error === null ? {} : { error }) })
      }
    })
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    base: `http://127.0.0.1:${port}`,
    lines,
    invocations,
    negotiated,
    /** Refuses every negotiation until the answer is called. */
    refuse(): () => void {
      refusing = true
      return () => {
        refusing = false
      }
    },
    /** Holds negotiations until the answer is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    async close(): Promise<void> {
      for (const client of sockets.clients) client.terminate()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
