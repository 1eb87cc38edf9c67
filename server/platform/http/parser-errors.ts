import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '#protocol/errors.ts'
import { endSocket } from './end-socket.ts'
import { problemOf } from './problems.ts'

const refusals: Record<string, { status: number; error: AppError }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: new AppError('bad-request', 'The request took too long') },
  HPE_HEADER_OVERFLOW: { status: 431, error: new AppError('too-large', 'The headers are too large') },
}
const noHttp = { status: 400, error: new AppError('bad-request', 'This is no HTTP request') }

/** Responds to bytes that are no request. Nothing is logged, because they may hold anything. */
export function refuseUnparsedRequest({ code }: { code?: string }, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, error } = refusals[code ?? ''] ?? noHttp
  const body = JSON.stringify(problemOf(error, status))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  endSocket(socket, `${head.join('\r\n')}\r\n\r\n${body}`)
}
