import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

const END = '\u001e'

/** An invocation as a client sent it. */
export type Invocation = { target: string; arguments: unknown[]; invocationId?: string }
type Message = Invocation & { type: number; sequenceId?: number }
/** A client's connection on the hub's side. */
type FakeConnection = {
  url: string
  id: string
  /** The version of the protocol that the handshake named. */
  version: number
  /** Sends the messages in one frame. */
  send(...messages: object[]): void
  /** Ends the TCP connection without a Close. */
  cut(): void
}
/** What a stateful connection keeps across sockets: all sent messages and the number of received ones. */
type Memory = { sent: object[]; received: number; expected: number }

/** How an invocation completes: null for success, a text for an error, undefined for no completion. */
type Complete = (invocation: Invocation) => string | null | undefined

/**
 * A hub that speaks the frames of SignalR and has no rules: `complete` decides how each invocation ends. A stateful one
 * re-attaches its clients and never acknowledges.
 */
export async function startFakeHub(complete: Complete = () => null, { stateful = false } = {}) {
  const connections: FakeConnection[] = []
  const invocations: Invocation[] = []
  const negotiated: string[] = []
  /** Ids of connections that a client closed. */
  const closes: string[] = []
  const memories = new Map<string, Memory>()
  let refusing = false
  let reattached = 0
  /** Negotiations wait until it resolves. */
  let gate: Promise<void> = Promise.resolve()
  let negotiations = 0

  const http = createServer(async (request, response) => {
    negotiated.push(request.headers.authorization ?? '')
    const asked = new URL(request.url ?? '', 'http://hub').searchParams.get('useStatefulReconnect') === 'true'
    await gate
    if (refusing) {
      response.writeHead(503, { connection: 'close' }).end()
      return
    }
    negotiations += 1
    const id = `c${negotiations}`
    if (stateful && asked) memories.set(id, { sent: [], received: 0, expected: 1 })
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(
      JSON.stringify({
        negotiateVersion: 1,
        connectionId: id,
        connectionToken: id,
        ...(stateful && asked ? { useStatefulReconnect: true } : {}),
        availableTransports: [
          { transport: 'ServerSentEvents', transferFormats: ['Text'] },
          { transport: 'WebSockets', transferFormats: ['Text'] },
        ],
      }),
    )
  })
  const sockets = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, socket, head) => {
    if (refusing) socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
    else sockets.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, request.url ?? ''))
  })

  function serve(socket: WebSocket, url: string): void {
    const id = new URL(url, 'http://hub').searchParams.get('id') ?? ''
    const memory = memories.get(id)
    const write = (messages: object[]) => socket.send(messages.map((message) => JSON.stringify(message) + END).join(''))
    const connection: FakeConnection = {
      url,
      id,
      version: 0,
      send(...messages) {
        memory?.sent.push(...messages.filter((message) => 'target' in message || 'invocationId' in message))
        write(messages)
      },
      cut: () => socket.terminate(),
    }
    const known = connections.find((other) => other.id === id)
    let greeted = known !== undefined
    if (known && memory) {
      Object.assign(connection, { version: known.version })
      connections.push(connection)
      reattached += 1
      write([{ type: 9, sequenceId: 1 }, ...memory.sent])
    }

    function greet(...first: object[]): void {
      connection.send(...first, { type: 1, target: 'OnUserConnected', arguments: [id] })
      connections.push(connection)
    }

    function isNew(): boolean {
      if (!memory) return true
      memory.received += 1
      if (memory.received < memory.expected) return false
      memory.expected = memory.received + 1
      return true
    }

    function take(message: Message): void {
      if (message.type === 6 && memory && !connections.includes(connection)) greet()
      if (message.type === 7) closes.push(id)
      if (message.type === 9 && memory) memory.received = (message.sequenceId ?? 1) - 1
      if (message.type !== 1 || !isNew()) return
      invocations.push(message)
      const error = complete(message)
      if (error === undefined) return
      connection.send({ type: 3, invocationId: message.invocationId, ...(error === null ? {} : { error }) })
    }

    socket.on('message', (data) => {
      for (const text of data.toString().split(END).filter(Boolean)) {
        if (greeted) {
          take(JSON.parse(text))
          continue
        }
        greeted = true
        connection.version = JSON.parse(text).version
        // A stateful client counts messages only after its first ping; another client may receive one in the same frame.
        if (memory) write([{}])
        else greet({})
      }
    })
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    base: `http://127.0.0.1:${port}`,
    port,
    connections,
    invocations,
    negotiated,
    closes,
    /** Returns the number of re-attaches. */
    reattached: () => reattached,
    /** Refuses every negotiation and every socket. Returns a function that ends that. */
    refuse(): () => void {
      refusing = true
      return () => {
        refusing = false
      }
    },
    /** Holds negotiations. Returns a function that ends that. */
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
