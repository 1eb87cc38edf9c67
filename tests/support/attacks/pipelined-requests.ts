import { connect } from 'node:net'
import { portOf } from '../servers/raw-requests.ts'

/** Sends `requests` requests on one connection without waiting for responses. Returns the number of responses before the connection ended. */
export async function pipelineRequests(origin: string, requests: number, headers: string[] = []): Promise<number> {
  const socket = connect({ port: portOf(origin), host: '127.0.0.1' })
  let received = ''
  const answered = () => received.split('HTTP/1.1 ').length - 1
  const ended = Promise.withResolvers<void>()
  socket.on('data', (data) => {
    received += data.toString('latin1')
    if (answered() === requests) ended.resolve()
  })
  // A server that cuts a connection resets it.
  socket.on('error', () => undefined)
  socket.on('close', () => ended.resolve())
  const request = ['GET /healthz HTTP/1.1', `Host: ${new URL(origin).host}`, ...headers, '', ''].join('\r\n')
  socket.write(request.repeat(requests))
  await ended.promise
  socket.destroy()
  return answered()
}
