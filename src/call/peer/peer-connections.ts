import { AppError, toAppError } from '#protocol/errors.ts'
import type { Role } from '#protocol/hub.ts'
import { idleTask, nextTask } from '../../platform/io/later-tasks.ts'
import { deferred } from '../../platform/rules/deferred.ts'
import type { PeerConnections } from '../ports.ts'
import { openPeer, type Peer, type PeerSetup } from './peer-connection.ts'

/** Longest time of a warm-up. */
const WARM_UP_MS = 5_000

/**
 * If the browser refuses to open a peer connection, the returned peer only reports a fault. `codecs` are the video
 * codecs in the order of preference; an empty list leaves the order to the browser.
 */
export function createPeerConnections(
  codecs: Promise<RTCRtpCodec[]> = Promise.resolve([]),
): PeerConnections<MediaStream> {
  return {
    async warmUp(local) {
      const loop = { servers: [], local, relayOnly: false, codecs }
      await idleTask()
      const caller = open('Caller', loop)
      await idleTask()
      const callee = open('Callee', loop)
      const arrived = [forward(caller, callee), forward(callee, caller)]
      const late = deferred<void>()
      const timer = setTimeout(() => late.resolve(), WARM_UP_MS)
      await Promise.race([Promise.all(arrived), late.promise])
      clearTimeout(timer)
      caller.close()
      callee.close()
    },

    prepare(options) {
      const setup = { ...options, codecs }
      const opened = new Map<Role, Peer>()
      let isNeeded = true

      async function openBoth(): Promise<void> {
        // Each peer connection is opened in its own task: the Caller's offer takes time.
        for (const role of ['Caller', 'Callee'] as const) {
          await nextTask()
          if (!isNeeded) return
          opened.set(role, open(role, setup))
        }
      }

      function close(): void {
        isNeeded = false
        void closeUnused([...opened.values()])
        opened.clear()
      }

      void openBoth()
      return {
        take(role, listener) {
          const taken = opened.get(role) ?? open(role, setup)
          opened.delete(role)
          close()
          taken.listen(listener)
          return taken
        },
        close,
      }
    },

    open(role, options, listener) {
      const peer = open(role, { ...options, codecs })
      peer.listen(listener)
      return peer
    },
  }
}

/** Closes the peer connections one by one in idle tasks: there is no hurry, an unused connection sends nothing. */
async function closeUnused(peers: readonly Peer[]): Promise<void> {
  for (const peer of peers) {
    await idleTask()
    peer.close()
  }
}

/** Passes the descriptions and candidates of `own` to `other`. Resolves when media has arrived at `own`. */
function forward(own: Peer, other: Peer): Promise<void> {
  return new Promise((resolve) => {
    own.listen((event) => {
      if (event.type === 'description') other.accept(event.data)
      else if (event.type === 'candidate') other.addCandidate(event.data)
      else if (event.type === 'video-arrived') resolve()
    })
  })
}

function open(role: Role, setup: PeerSetup): Peer {
  try {
    return openPeer(role, setup)
  } catch (thrown) {
    return refusedPeer(toAppError(thrown).message)
  }
}

/** Returns a peer that reports the fault once and rejects all requests. */
function refusedPeer(message: string): Peer {
  const refuse = () => Promise.reject(new AppError('peer-failed', message))
  return {
    accept() {},
    addCandidate() {},
    restartIce() {},
    takeServers() {},
    replaceTracks: refuse,
    sample: refuse,
    limit: refuse,
    delayPlayback() {},
    tell() {},
    measure() {},
    restoreSize: refuse,
    listen: (listener) => queueMicrotask(() => listener({ type: 'fault', code: 'peer-failed', message })),
    close() {},
  }
}
