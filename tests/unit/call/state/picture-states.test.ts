import { signal } from '@preact/signals-react'
import { expect, test } from 'vitest'
import { AppError } from '#protocol/errors.ts'
import type { PictureOf, PictureState } from '#protocol/picture-state.ts'
import { movingPictures } from '../../../../src/call/state/call.ts'
import { createPictureStates } from '../../../../src/curtain/state/picture-states.ts'
import type { PictureChoice } from '../../../../src/platform/rules/picture-choice.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { silentLog } from '../../../support/silent-log.ts'

function setUp() {
  const clock = fakeClock(100_000)
  const log = silentLog()
  const moves = signal({ peer: true, own: true })
  const peerTellsCameraOff = signal(true)
  const page = { isHidden: false }
  const read: string[] = []
  const world = { shows: null as PictureState | null, fails: false, missed: 0 }
  const store = createPictureStates({
    clock,
    log,
    page: { hidden: () => page.isHidden },
    reader: {
      async read(_video, of) {
        read.push(`${of} at ${Math.round((clock.now() - 100_000) / 100) / 10}`)
        if (world.fails) throw new AppError('worker-died')
        return world.shows
      },
    },
    moves: () => moves.value,
    peerTellsCameraOff,
    peerMissed: () => {
      world.missed += 1
    },
  })
  async function pass(seconds: number): Promise<void> {
    for (let step = 0; step < seconds * 10; step += 1) {
      clock.advance(100)
      for (let turn = 0; turn < 6; turn += 1) await Promise.resolve()
    }
  }
  const show = (of: PictureOf) => store.show(of, {} as HTMLVideoElement)
  return { clock, log, moves, peerTellsCameraOff, page, read, world, store, show, pass }
}

test('a picture is read once a second at first, and later more rarely', async () => {
  const { read, show, pass } = setUp()
  show('peer')
  await pass(10)
  expect(read.length).toBeGreaterThanOrEqual(9)
  const first = read.length
  await pass(20)
  expect(read.length - first).toBeGreaterThanOrEqual(6)
  expect(read.length - first).toBeLessThanOrEqual(8)
})

test('the first reading that shows nobody lifts the wait, once, until the picture is fine again', async () => {
  const { world, store, show, pass } = setUp()
  show('peer')
  await pass(3)
  expect([store.peer.value, world.missed]).toEqual(['fine', 0])
  world.shows = 'black'
  await pass(3)
  expect([store.peer.value, world.missed]).toEqual(['black', 1])
  // Not enough is known for another word.
  world.shows = null
  await pass(3)
  expect(store.peer.value).toBe('black')
  world.shows = 'fine'
  await pass(3)
  expect([store.peer.value, world.missed]).toEqual(['fine', 1])
})

test('the own picture is not told to anybody, and stays known from the dashboard to the call', async () => {
  const { world, store, show, pass } = setUp()
  const leave = show('own')
  world.shows = 'still'
  await pass(2)
  leave()
  expect([store.own.value, world.missed]).toEqual(['still', 0])
  world.shows = null
  show('own')
  await pass(2)
  expect(store.own.value).toBe('still')
})

test('nothing is said of a picture that is not sent, or does not move on purpose, nor of the next peer', async () => {
  const { moves, read, world, store, show, pass } = setUp()
  moves.value = { peer: false, own: true }
  const leave = show('peer')
  world.shows = 'black'
  await pass(5)
  expect([store.peer.value, world.missed, read]).toEqual(['fine', 0, []])
  moves.value = { peer: true, own: true }
  await pass(2)
  expect(store.peer.value).toBe('black')
  moves.value = { peer: false, own: true }
  expect(store.peer.value).toBe('fine')
  moves.value = { peer: true, own: true }
  leave()
  expect(store.peer.value).toBe('fine')
})

test('what was found of a picture is forgotten while none is sent, as of a camera that is off', () => {
  const { moves, store } = setUp()
  store.judged('own', 'black')
  store.judged('peer', 'looped')
  moves.value = { peer: false, own: false }
  moves.value = { peer: true, own: true }
  expect([store.own.value, store.peer.value]).toEqual(['fine', 'fine'])
})

test('a peer of an earlier version, which does not say that its camera is off, is not called black', () => {
  const { peerTellsCameraOff, world, store } = setUp()
  peerTellsCameraOff.value = false
  store.judged('peer', 'black')
  store.judged('own', 'black')
  expect([store.peer.value, store.own.value, world.missed]).toEqual(['fine', 'black', 0])
  peerTellsCameraOff.value = true
  expect([store.peer.value, world.missed]).toEqual(['black', 1])
  peerTellsCameraOff.value = false
  store.judged('peer', 'still')
  expect(store.peer.value).toBe('still')
})

test('a picture should move while the call is well and the peer sends it, the own while the camera does, but for sound only', () => {
  const call = { health: signal<'well' | 'broken'>('well') }
  const quality = { peerPicture: signal<'moving' | 'camera-off'>('moving') }
  const devices = { hasCameraPicture: signal(true) }
  const choice = signal<PictureChoice>('best')
  const moves = () => movingPictures({ call, quality, devices, pictureChoice: { choice } })
  expect(moves()).toEqual({ peer: true, own: true })
  choice.value = 'sound'
  expect(moves()).toEqual({ peer: true, own: false })
  choice.value = 'saver'
  devices.hasCameraPicture.value = false
  quality.peerPicture.value = 'camera-off'
  expect(moves()).toEqual({ peer: false, own: false })
  quality.peerPicture.value = 'moving'
  call.health.value = 'broken'
  expect(moves().peer).toBe(false)
})

test('while the safety check looks the page reads nothing, and again when it no longer does', async () => {
  const { read, store, show, pass } = setUp()
  show('peer')
  store.judged('peer', null)
  await pass(6)
  store.judged('peer', 'looped')
  expect([store.peer.value, read]).toEqual(['looped', []])
  await pass(12)
  expect(read.length).toBeGreaterThan(1)
})

test('a hidden page reads nothing', async () => {
  const { page, read, show, pass } = setUp()
  page.isHidden = true
  show('own')
  await pass(5)
  expect(read).toEqual([])
})

test('after three failures in a row, and after the end, nothing is read', async () => {
  const { clock, log, read, world, show, pass } = setUp()
  world.fails = true
  show('own')
  await pass(20)
  expect([read.length, log.errors.length, clock.waiting()]).toEqual([3, 3, 0])
  world.fails = false
  const leave = show('peer')
  leave()
  await pass(5)
  expect([read.length, clock.waiting()]).toEqual([3, 0])
})
