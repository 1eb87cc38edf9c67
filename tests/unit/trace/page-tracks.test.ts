import { signal } from '@preact/signals-react'
import { expect, test, vi } from 'vitest'
import { drawChunk, drawLongFrame } from '../../../src/tools/tracks/page-tracks.ts'
import { createSignalTrack } from '../../../src/tools/tracks/tracks.ts'
import { drawnStamps } from '../../support/stamps.ts'

const SITE = 'https://chat.example'
const script = {
  startTime: 110,
  duration: 60,
  invokerType: 'event-listener',
  invoker: 'DIV#root.onclick',
  sourceURL: `${SITE}/assets/index-B1x_.js`,
  sourceFunctionName: 'startSearch',
  sourceCharPosition: 512,
  forcedStyleAndLayoutDuration: 12.4,
}
const frame = { startTime: 100, duration: 130, blockingDuration: 30, styleAndLayoutStart: 200, scripts: [script] }
/** A browser's entry has its values at the prototype. */
function loadOf(name: string, transferSize = 300) {
  const entry = { name, transferSize, encodedBodySize: 2_048, startTime: 5, responseEnd: 9 }
  return Object.create(entry) as typeof entry
}

/** What must be in no label: an address of the network or of mail, a token, a description, what somebody wrote. */
const SECRETS = ['10.1.2.3', 'a@b.example', 'secret-token', 'v=0', 'hello you', 'other.example']

test('a long frame has its scripts, and the style and layout at its end', () => {
  const stamps = drawnStamps()
  drawLongFrame(frame, SITE)
  expect(stamps.map(({ label, start, end, colour }) => [label, start, end, colour])).toEqual([
    ['frame 130 ms, blocking 30 ms', 100, 230, 'error'],
    ['event-listener DIV.onclick: startSearch in index-B1x_.js:512, forced layout 12 ms', 110, 170, 'primary'],
    ['style and layout', 200, 230, 'primary-dark'],
  ])
  expect(new Set(stamps.map(({ track }) => track))).toEqual(new Set(['Long frames']))
})

test('a chunk has its name, size and whether it came from a cache', () => {
  const stamps = drawnStamps()
  drawChunk(loadOf(`${SITE}/assets/call-x1.js`), SITE)
  drawChunk(loadOf(`${SITE}/assets/call-x1.js`, 0), SITE)
  drawChunk(loadOf(`${SITE}/api/users/me?token=secret-token`), SITE)
  drawChunk(loadOf('https://other.example/sdk.js'), SITE)
  expect(stamps.map(({ label, start, end, track }) => [track, label, start, end])).toEqual([
    ['Chunks', 'call-x1.js, 2.0 KB', 5, 9],
    ['Chunks', 'call-x1.js, 2.0 KB, cache', 5, 9],
  ])
})

test('no label has an address, a token or a text', () => {
  const stamps = drawnStamps()
  const hostile = [
    { invoker: `IMG[src=${SITE}/picture?token=secret-token].onload` },
    { invoker: 'INPUT#a@b.example.oninput' },
    { invoker: 'https://other.example/x.js?secret-token', invokerType: 'classic-script' },
    { sourceURL: `${SITE}/call?token=secret-token` },
    { sourceURL: `${SITE}/assets/index.js?ip=10.1.2.3#secret-token` },
    { sourceURL: 'data:text/javascript,hello you v=0' },
    { sourceURL: 'https://10.1.2.3/a.js' },
    { sourceURL: `${SITE}.other.example/a.js` },
    { sourceURL: `${SITE}/page?to=/secret-token.js` },
    { sourceURL: '', sourceCharPosition: -1 },
    { sourceFunctionName: 'hello you' },
  ]
  for (const given of hostile) drawLongFrame({ ...frame, scripts: [{ ...script, ...given }] }, SITE)
  const drawn = stamps.map(({ label }) => label)
  expect(drawn).toHaveLength(hostile.length * 3)
  for (const secret of SECRETS) expect(drawn.filter((label) => label.includes(secret))).toEqual([])
})

test('a signal whose change the page follows is drawn by name, without its value', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const stamps = drawnStamps()
  const chat = { draft: signal('hello you'), count: signal(0), send() {} }
  const track = createSignalTrack()
  track.follow({ chat, config: null, name: 'text' })
  track.rendered()
  expect(stamps).toEqual([])
  chat.draft.value = 'hello you, secret-token'
  vi.advanceTimersByTime(10)
  track.rendered()
  expect(stamps.map(({ track: on, label, start, end }) => [on, label, end - start])).toEqual([
    ['Signals', 'chat.draft', 10],
  ])
  chat.count.value = 1
  vi.advanceTimersByTime(101)
  track.rendered()
  expect(stamps).toHaveLength(1)
  vi.useRealTimers()
})
