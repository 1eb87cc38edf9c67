import { expect, test } from 'vitest'
import { searching } from '../../../support/call/call-visit.ts'
import { waitFor } from '../../../support/wait-for.ts'

test('nothing is prepared before the match, which opens the connection of its role alone', async () => {
  const all = await searching({}, { saves: true })
  all.stream.value = {} as MediaStream
  all.changeNetwork()
  expect(all.peers).toEqual([])
  all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
  expect(all.peers.map(({ did }) => did)).toEqual([['open Caller']])
  expect(all.peers[0]?.local).toBe(all.stream.value)
  all.hub.emit('SessionTerminated', 's')
  await waitFor(() => expect(all.hub.names().at(-1)).toBe('InitiateMatchingWithPeers'))
  expect(all.peers.map(({ did }) => did)).toEqual([['open Caller', 'close']])
})

test('a match after five minutes has fresh credentials', async () => {
  let times = 0
  const all = await searching(
    { readTurn: () => ({ turnUrl: '', username: '', credential: '', stunUrl: `stun:127.0.0.1:${++times}` }) },
    { saves: true },
  )
  all.clock.advance(5 * 60_000)
  // The credentials have arrived a few microtasks later.
  await waitFor(() => expect(times).toBe(2))
  await new Promise((resolve) => setImmediate(resolve))
  all.hub.emit('OnUserMatched', 'Callee', 's', 'peer')
  expect(all.peers.map(({ servers }) => servers)).toEqual([[{ urls: ['stun:127.0.0.1:2'] }]])
})

test('the browser makes no hidden first call', async () => {
  const all = await searching({}, { saves: true })
  expect(all.warmUps()).toBe(0)
  all.isSaver.value = false
  all.stream.value = {} as MediaStream
  expect(all.warmUps()).toBe(0)
})

test('a search after it was switched off is prepared as usual', async () => {
  const all = await searching({}, { saves: true })
  all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
  all.isSaver.value = false
  all.hub.emit('SessionTerminated', 's')
  await waitFor(() => expect(all.peers.map(({ did }) => did)).toEqual([['open Caller', 'close'], []]))
})

test('the data of a call are counted, until it ends', async () => {
  const all = await searching()
  const { dataUse } = all.stores
  all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
  all.readings.push({ bytesSent: 7 })
  all.clock.advance(1_000)
  await waitFor(() => expect(dataUse.take).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ bytesSent: 7 })))
  expect(dataUse.stop).not.toHaveBeenCalled()
  all.hub.emit('SessionTerminated', 's')
  expect(dataUse.stop).toHaveBeenCalledOnce()
})
