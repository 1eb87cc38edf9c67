import { setImmediate } from 'node:timers/promises'
import type { RawClient } from '../hub/hub-client.ts'
import { enterHub, type HubAccess } from './hub-access.ts'

const END = '\u001e'
/** Bytes of one WebSocket frame that holds many messages. */
const FRAME = 32 * 1024
/** Frames that are written before the socket is awaited. */
const AT_ONCE = 64

const manyOf = (message: string) => message.repeat(Math.floor(FRAME / message.length))
const text = (frame: string) => ({
  bytes: frame.length,
  send: ({ socket }: RawClient, written: (error?: Error | null) => void) => socket.send(frame, written),
})

/** One frame of each kind of flood: everything that a client can send except invocations. */
const frames = {
  pings: text(manyOf(`{"type":6}${END}`)),
  acknowledgements: text(manyOf(`{"type":8,"sequenceId":0}${END}`)),
  sequences: text(manyOf(`{"type":9,"sequenceId":1}${END}`)),
  completions: text(manyOf(`{"type":3,"invocationId":"1"}${END}`)),
  'unknown messages': text(manyOf(`{"type":99}${END}`)),
  'large messages': text(`{"type":99,"x":[${'[],'.repeat(9_000)}[]]}${END}`),
  'small frames': text(`{"type":6}${END}`),
  'empty frames': text(''),
  'WebSocket pings': {
    bytes: 64,
    send: ({ socket }: RawClient, written: (error?: Error | null) => void) =>
      socket.ping(Buffer.alloc(64), true, written),
  },
  'WebSocket pongs': {
    bytes: 64,
    send: ({ socket }: RawClient, written: (error?: Error | null) => void) =>
      socket.pong(Buffer.alloc(64), true, written),
  },
}
export type FloodKind = keyof typeof frames
export const floodKinds = Object.keys(frames) as FloodKind[]

/** Bytes of the header and mask of a frame, about. */
const HEADER = 6

/**
 * Sends `bytes` of one kind as fast as the hub reads them. Calls `began` with the connection. Resolves with whether all bytes
 * were written: false if the hub closed the connection before, or after `stop`.
 */
export async function floodHub(
  access: HubAccess,
  kind: FloodKind,
  bytes: number,
  { stop, began }: { stop?: AbortSignal; began?: (client: RawClient) => void } = {},
): Promise<boolean> {
  const client = await enterHub(access)
  began?.(client)
  const stopped = new Promise<false>((resolve) => {
    if (stop?.aborted) resolve(false)
    stop?.addEventListener('abort', () => resolve(false))
    client.closed.then(() => resolve(false))
  })
  const frame = frames[kind]
  const size = frame.bytes + HEADER
  try {
    for (let left = bytes; left > 0; ) {
      const count = Math.min(Math.ceil(left / size), size > FRAME ? 1 : AT_ONCE)
      left -= count * size
      const written = new Promise<boolean>((resolve) => {
        for (let sent = 1; sent <= count; sent += 1)
          frame.send(client, (error) => {
            if (sent === count) resolve(!error)
          })
      })
      if (!(await Promise.race([written, stopped]))) return false
      // Yields to the event loop, so that a hub in the same process can read.
      await setImmediate()
    }
    return true
  } finally {
    client.socket.terminate()
  }
}
