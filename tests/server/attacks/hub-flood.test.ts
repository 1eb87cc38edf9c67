import { describe, expect, onTestFinished, test } from 'vitest'
import { accessOf } from '../../support/attacks/hub-access.ts'
import { type FloodKind, floodHub, floodKinds } from '../../support/attacks/hub-flood.ts'
import { matchedPair, type RawClient } from '../../support/hub/hub-client.ts'
import { startHubWorld } from '../../support/hub/hub-fakes.ts'

/** More than the network buffers hold while the hub does not read. */
const BYTES = 24 * 1024 * 1024

async function hub() {
  const world = await startHubWorld()
  onTestFinished(world.stop)
  return world
}

/** Outcome of the flood: read to its end, closed, or slowed down before its end. */
async function outcomeOf(world: Awaited<ReturnType<typeof hub>>, kind: FloodKind) {
  const stop = new AbortController()
  const begun = Promise.withResolvers<RawClient>()
  const all = floodHub(accessOf(world.url, 'eve'), kind, BYTES, { stop: stop.signal, began: begun.resolve })
  const client = await begun.promise
  const outcome = await Promise.race([
    all.then((isRead) => (isRead ? 'read to its end' : 'closed')),
    world.slowed(client.id).then(() => 'slowed down'),
  ])
  return {
    outcome,
    end() {
      stop.abort()
      return all
    },
  }
}

describe('a flood of messages that are not invocations', () => {
  test.each(floodKinds)('%s: the hub stops reading it, and another match can still chat', async (kind) => {
    const world = await hub()
    const { caller, callee, session } = await matchedPair(world.url, 'ann', 'bob')
    const { outcome, end } = await outcomeOf(world, kind)
    expect(outcome).toBe('slowed down')
    const texts = Array.from({ length: 50 }, (_, index) => `${index}`)
    const sent = texts.map((text) => caller.invokeAny('SendChatMessageToPeer', session, callee.id, text))
    expect(await Promise.all(sent)).toEqual(texts.map(() => null))
    await callee.event('OnChatMessage', 50)
    // The clock does not advance, so the hub reads nothing more and the flood has not ended.
    expect(await end()).toBe(false)
  })

  test('WebSocket pings are answered up to the limit, and reconnecting does not reset it', async () => {
    const world = await hub()
    const answered: number[] = []
    for (let connections = 0; connections < 4; connections += 1) {
      const stop = new AbortController()
      const begun = Promise.withResolvers<RawClient>()
      const options = { stop: stop.signal, began: begun.resolve }
      const all = floodHub(accessOf(world.url, 'eve'), 'WebSocket pings', BYTES, options)
      const client = await begun.promise
      let pongs = 0
      client.socket.on('pong', () => {
        pongs += 1
      })
      await Promise.race([all, world.slowed(client.id)])
      stop.abort()
      await all
      answered.push(pongs)
      world.clock.advance(1_000)
    }
    const [first = 0, , , last = 0] = answered
    expect(first).toBeLessThan(2_000)
    expect(last).toBeLessThan(first / 2)
  })
})
