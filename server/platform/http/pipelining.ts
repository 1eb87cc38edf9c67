import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { endSocket } from './end-socket.ts'

/** Browsers and proxies send one request at a time on a connection. */
const UNDER_WAY_MAX = 16

const EXPECTATION_FAILED = 'HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Destroys a connection with too many requests without a response. All requests of one read are handled in one turn of the event loop:
 * thousands of small ones, sent without waiting for responses, would delay all other requests by seconds. The rest of such a read does
 * not reach the framework.
 */
export function limitPipelining({ server }: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>()
  const handlers = server.listeners('request')
  server.removeAllListeners('request')

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const others = underWay.get(socket) ?? 0
    if (socket.destroyed || others >= UNDER_WAY_MAX) {
      socket.destroy()
      return
    }
    underWay.set(socket, others + 1)
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    for (const handle of handlers) handle.call(server, request, response)
  })

  // A message with an expectation other than 100-continue never becomes a request, so no other limit applies to it.
  server.on('checkExpectation', ({ socket }: { socket: Socket }) => {
    if (socket.writable) endSocket(socket, EXPECTATION_FAILED)
  })
}
