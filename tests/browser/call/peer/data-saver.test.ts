import { signal } from '@preact/signals-react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Stores } from '../../../../src/app/stores.ts'
import { createPeerConnections } from '../../../../src/call/peer/peer-connections.ts'
import type { PeerConnection } from '../../../../src/call/ports.ts'
import { createReadyPeer } from '../../../../src/call/runner/ready-peer.ts'
import { nextTask } from '../../../../src/platform/io/later-tasks.ts'
import { deliver, framesDecoded, openCamera, type Reported, watchConnections } from './peers.ts'

let local: MediaStream
let watched: ReturnType<typeof watchConnections>

beforeEach(async () => {
  local = await openCamera()
  watched = watchConnections()
})
afterEach(() => {
  watched.restore()
  for (const connection of watched.made) connection.close()
  for (const track of local.getTracks()) track.stop()
})

/** The ready peer of a user who searches, with real peer connections. */
async function search(saves: boolean) {
  const stores = {
    devices: { stream: signal(local) },
    pictureChoice: { isSaver: signal(saves) },
    relayOnly: { on: signal(false) },
  } as unknown as Stores
  const ready = createReadyPeer(
    {
      peers: createPeerConnections(),
      clock: { now: () => 0, after: () => () => {}, every: () => () => {} },
      log: { info: () => {}, error: () => {} },
      loadServers: async () => [],
      onNetworkChange: () => () => {},
    },
    stores,
  )
  await ready.load()
  ready.follow({ current: () => null, failed: () => {} })
  ready.prepare()
  return ready
}

test('without the data saver a peer connection is prepared for either role', async () => {
  const ready = await search(false)
  await expect.poll(() => watched.made.length).toBe(2)
  ready.stop()
})

test('with the data saver no peer connection is opened before the match, and the match connects', async () => {
  const one = await search(true)
  const other = await search(true)
  // Prepared connections are opened one a task.
  for (let tasks = 0; tasks < 4; tasks += 1) await nextTask()
  expect(watched.made).toEqual([])

  const reported: Reported[] = []
  const peers: Partial<Record<'caller' | 'callee', PeerConnection<MediaStream> | null>> = {}
  const sendTo = (peer: 'caller' | 'callee') => (event: Reported) => {
    reported.push(event)
    const to = peers[peer]
    if (to && (event.type === 'description' || event.type === 'candidate')) deliver(event, to)
  }
  peers.callee = other.take('Callee', sendTo('caller'))
  peers.caller = one.take('Caller', sendTo('callee'))
  // One for each user, in the role of the match.
  expect(watched.made).toHaveLength(2)
  for (const connection of watched.made) {
    await expect.poll(() => framesDecoded(connection)).toBeGreaterThan(5)
    expect(connection.connectionState).toBe('connected')
  }
  expect(reported.filter(({ type }) => type === 'fault')).toEqual([])
  expect(watched.made).toHaveLength(2)
  for (const ready of [one, other]) ready.stop()
  for (const peer of [peers.caller, peers.callee]) peer?.close()
  for (const made of watched.made) await expect.poll(() => made.signalingState).toBe('closed')
})
