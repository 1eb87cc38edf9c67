import { signal } from '@preact/signals-react'
import { expect, test } from 'vitest'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import { type CurtainCounts, createCurtainStore } from '../../../src/curtain/state/curtain.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { scriptedLooks } from '../../support/fakes/scripted-looks.ts'
import { silentLog } from '../../support/silent-log.ts'

type Given = { looksToVeil?: number; cores?: number; saver?: boolean; stored?: string; sendFails?: boolean }

function videoOf(label: string) {
  const ownerDocument = { pictureInPictureElement: null as unknown }
  const video = Object.assign(new EventTarget(), { getAttribute: () => label, ownerDocument })
  return video as typeof video & HTMLVideoElement
}

async function visit({ looksToVeil = 2, cores = 4, saver = false, stored, sendFails = false }: Given = {}) {
  const clock = fakeClock(1_000)
  const log = silentLog()
  const { script, looks } = scriptedLooks()
  const kept = new Map(stored === undefined ? [] : [['curtain', stored]])
  const match = signal<string | null>(null)
  const isSaver = signal(saver)
  const sends = signal({ peer: true, own: true })
  const sent: CurtainCounts[] = []
  const idle: (() => void)[] = []
  const visibility: (() => void)[] = []
  const page = { isHidden: false }
  const store = createCurtainStore({
    storage: { get: async (key) => kept.get(key), set: async (key, value) => void kept.set(key, String(value)) },
    clock,
    log,
    page: { hidden: () => page.isHidden, onVisibility: (listener) => void visibility.push(listener) },
    loadLooks: async () => looks,
    async sendCounts(counts) {
      if (sendFails) throw new AppError('http-error')
      sent.push(counts)
    },
    judged: () => {},
    whenIdle: (task) => void idle.push(task),
    looksToVeil,
    cores,
    isSaver,
    match,
    sends: () => sends.value,
  })
  await store.restore()
  const videos = { peer: videoOf('Peer video'), own: videoOf('My video') }

  /** Lets this time pass with everything that happens in it. */
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left >= 0; left -= 50) {
      for (const task of idle.splice(0)) task()
      for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
      if (left > 0) clock.advance(Math.min(50, left))
    }
  }

  /** A call whose pictures are shown. */
  async function begin(matchId = 'match-1'): Promise<() => void> {
    match.value = matchId
    const hide = store.showPicture('peer', videos.peer)
    store.showPicture('own', videos.own)
    await pass(0)
    return hide
  }

  function look(isHidden: boolean): void {
    page.isHidden = isHidden
    for (const listener of visibility) listener()
  }
  return { store, script, clock, log, kept, match, isSaver, sends, sent, videos, pass, begin, look }
}

function end(match: { value: string | null }): void {
  match.value = null
}

test('looks begin with the first frame of a call and end with the call, and with them the worker', async () => {
  const { store, script, clock, match, videos, pass } = await visit()
  match.value = 'match-1'
  store.showPicture('own', videos.own)
  await pass(5_000)
  expect([script.starts, store.state.value]).toEqual([0, { phase: 'off' }])
  store.showPicture('peer', videos.peer)
  await pass(0)
  expect(store.state.value).toEqual({ phase: 'on' })
  await pass(2_000)
  expect(script.looked.filter((label) => label === 'Peer video').length).toBeGreaterThan(2)
  expect(script.looked).toContain('My video')
  end(match)
  const { length } = script.looked
  await pass(5_000)
  expect([script.running, script.looked.length, clock.waiting()]).toEqual([0, length, 0])
  expect([store.state.value, store.seen.value]).toEqual([{ phase: 'off' }, null])
})

test('two flagged looks in a row veil the picture, and "Show anyway" holds for this call alone', async () => {
  const { store, script, match, sent, pass, begin } = await visit()
  await begin()
  await pass(1_000)
  script.flags.add('Peer video')
  await pass(1_500)
  expect(store.isVeiled.value).toBe(true)
  const seen = store.seen.value
  expect(seen).toMatchObject({ model: 'scripted-1', flagged: 2 })
  await pass(3_000)
  expect(store.seen.value).toEqual(seen)
  store.showAnyway()
  await pass(20_000)
  expect([store.isVeiled.value, store.seen.value]).toEqual([false, seen])
  end(match)
  expect(sent).toEqual([{ ...seen, veils: 1, shownAnyway: 1 }])
  await begin('match-2')
  expect(store.isVeiled.value).toBe(false)
  await pass(1_500)
  expect(store.isVeiled.value).toBe(true)
})

test('a match that follows at once starts anew', async () => {
  const { store, script, match, sent, pass, begin } = await visit()
  script.flags.add('Peer video')
  await begin()
  await pass(1_500)
  expect(store.isVeiled.value).toBe(true)
  match.value = 'match-2'
  expect([store.isVeiled.value, store.seen.value]).toEqual([false, null])
  expect(sent).toMatchObject([{ veils: 1, shownAnyway: 0 }])
})

test('the number of flagged looks is that of the installation, and 0 switches the check off', async () => {
  const three = await visit({ looksToVeil: 3 })
  three.script.flags.add('Peer video')
  await three.begin()
  await three.pass(350)
  expect([three.store.seen.value?.flagged, three.store.isVeiled.value]).toEqual([2, false])
  await three.pass(350)
  expect(three.store.isVeiled.value).toBe(true)

  const none = await visit({ looksToVeil: 0, stored: 'on' })
  await none.begin()
  await none.pass(5_000)
  expect([none.store.isOffered, none.script.starts, none.store.isOwnFlagged.value]).toEqual([false, 0, false])
})

test('the own picture is told about while it is flagged, and nothing is counted or sent for it', async () => {
  const { store, script, match, sent, pass, begin } = await visit()
  const without = async () => {
    const before = store.seen.value?.flagged
    await pass(4_500)
    return [store.isOwnFlagged.value, store.isVeiled.value, (store.seen.value?.flagged ?? 0) - (before ?? 0)]
  }
  await begin()
  script.flags.add('My video')
  expect(await without()).toEqual([true, false, 0])
  script.flags.clear()
  expect(await without()).toEqual([false, false, 0])
  end(match)
  expect(sent).toMatchObject([{ flagged: 0, veils: 0 }])
})

test('what is not shown is not looked at', async () => {
  const { script, sends, videos, pass, begin, look } = await visit()
  const hide = await begin()
  const labels = async () => {
    script.looked.length = 0
    await pass(5_000)
    return new Set(script.looked)
  }
  expect(await labels()).toEqual(new Set(['Peer video', 'My video']))
  sends.value = { peer: false, own: true }
  expect(await labels()).toEqual(new Set(['My video']))
  sends.value = { peer: true, own: false }
  expect(await labels()).toEqual(new Set(['Peer video']))
  look(true)
  expect(await labels()).toEqual(new Set())
  // The browser may open the small window after it has hidden the page.
  videos.peer.ownerDocument.pictureInPictureElement = videos.peer
  videos.peer.dispatchEvent(new Event('enterpictureinpicture'))
  expect(await labels()).toEqual(new Set(['Peer video']))
  // Only the page covers the picture of a peer who says that none is sent.
  sends.value = { peer: false, own: false }
  expect(await labels()).toEqual(new Set(['Peer video']))
  videos.peer.ownerDocument.pictureInPictureElement = null
  videos.peer.dispatchEvent(new Event('leavepictureinpicture'))
  expect(await labels()).toEqual(new Set())
  sends.value = { peer: true, own: false }
  look(false)
  hide()
  expect(await labels()).toEqual(new Set())
})

test('one look runs at a time', async () => {
  const { script, sends, pass, begin } = await visit()
  let open = () => {}
  script.beforeLook = () => new Promise((resolve) => (open = resolve))
  await begin()
  await pass(2_500)
  sends.value = { peer: true, own: true }
  await pass(2_500)
  expect(script.looked).toHaveLength(1)
  open()
  await pass(0)
  // Rests for as long as the look took.
  await pass(4_900)
  expect(script.looked).toHaveLength(2)
})

test.each([
  [{ cores: 4 }, true],
  [{ cores: 3 }, false],
  [{ saver: true }, false],
  [{ cores: 2, stored: 'on' }, true],
  [{ saver: true, stored: 'on' }, true],
  [{ cores: 16, stored: 'off' }, false],
] as const)('with %j the check is on: %s', async (given, isOn) => {
  const { store, script, pass, begin } = await visit(given)
  await begin()
  await pass(1_000)
  expect([store.on.value, script.starts]).toEqual([isOn, Number(isOn)])
})

test('the switch ends the looks and their worker, shows what is veiled, and is remembered', async () => {
  const { store, script, clock, kept, pass, begin } = await visit()
  script.flags.add('Peer video')
  await begin()
  await pass(1_500)
  expect(store.isVeiled.value).toBe(true)
  store.choose(false)
  expect([store.isVeiled.value, script.running, clock.waiting(), kept.get('curtain')]).toEqual([false, 0, 0, 'off'])
  store.choose(true)
  await pass(1_000)
  expect([store.state.value, script.starts]).toEqual([{ phase: 'on' }, 2])
  store.forget()
  expect(store.on.value).toBe(true)
})

test('the data saver, chosen during a call, ends the looks and shows nothing that is veiled', async () => {
  const { store, script, isSaver, pass, begin } = await visit()
  script.flags.add('Peer video')
  await begin()
  await pass(1_500)
  isSaver.value = true
  expect([store.isVeiled.value, store.on.value, script.running]).toEqual([true, false, 0])
})

test.each([
  ['curtain-no-simd', 'no-simd'],
  ['curtain-model-missing', 'model-missing'],
  ['curtain-model-damaged', 'model-damaged'],
  ['curtain-too-slow', 'too-slow'],
  ['worker-died', 'failed'],
] as const)(
  'after %s the reason is known, nothing runs, and the next call tries again',
  async (code: ErrorCode, reason) => {
    const { store, script, clock, match, sent, pass, begin } = await visit({ stored: 'on' })
    script.start = () => Promise.reject(new AppError(code))
    await begin()
    await pass(2_000)
    expect([store.state.value, script.running, clock.waiting()]).toEqual([{ phase: 'unavailable', reason }, 0, 0])
    end(match)
    expect([store.state.value, sent]).toEqual([{ phase: 'unavailable', reason }, []])
    script.start = async () => ({ model: 'scripted-2', firstLookMs: 50 })
    await begin('match-2')
    expect(store.state.value).toEqual({ phase: 'on' })
  },
)

test('a slow first look switches the check off, unless the user has switched it on', async () => {
  const { store, script, pass, begin } = await visit()
  script.start = async () => ({ model: 'scripted-1', firstLookMs: 301 })
  await begin()
  await pass(2_000)
  expect(store.state.value).toEqual({ phase: 'unavailable', reason: 'too-slow' })
  expect([store.on.value, script.running, script.looked]).toEqual([false, 0, []])
  store.choose(true)
  await pass(1_000)
  expect(store.state.value).toEqual({ phase: 'on' })
  expect(script.looked).toContain('Peer video')
})

test('a peer who sends no picture for a while does not end the check', async () => {
  const { store, script, log, pass, begin } = await visit()
  await begin()
  await pass(400)
  script.hasPicture = false
  await pass(10_000)
  expect([store.state.value, store.isVeiled.value, log.errors]).toEqual([{ phase: 'on' }, false, []])
  script.hasPicture = true
  script.flags.add('Peer video')
  await pass(1_500)
  expect(store.isVeiled.value).toBe(true)
})

test('a check that ends says no more that the own picture may not be seen', async () => {
  const { store, script, pass, begin } = await visit()
  script.flags.add('My video')
  await begin()
  await pass(4_500)
  expect(store.isOwnFlagged.value).toBe(true)
  store.choose(false)
  expect(store.isOwnFlagged.value).toBe(false)
})

test('three failed looks in a row end the check', async () => {
  const { store, script, clock, log, pass, begin } = await visit()
  await begin()
  await pass(400)
  script.beforeLook = () => Promise.reject(new AppError('worker-died'))
  await pass(5_000)
  expect(store.state.value).toEqual({ phase: 'unavailable', reason: 'failed' })
  expect([script.running, clock.waiting(), log.errors.length]).toEqual([0, 0, 3])
})

test('a call that ends while the model is loaded leaves no worker', async () => {
  const { store, script, clock, match, pass, begin } = await visit()
  let loaded = () => {}
  script.start = () => new Promise((resolve) => (loaded = () => resolve({ model: 'scripted-1', firstLookMs: 50 })))
  await begin()
  expect(store.state.value).toEqual({ phase: 'loading' })
  end(match)
  loaded()
  await pass(2_000)
  expect([store.state.value, script.running, script.looked, clock.waiting()]).toEqual([{ phase: 'off' }, 0, [], 0])
})

test('counts that cannot be sent disturb nothing', async () => {
  const { store, log, match, pass, begin } = await visit({ sendFails: true })
  await begin()
  await pass(1_000)
  end(match)
  await pass(0)
  expect(log.errors).toEqual(['The counts of the safety check were not sent'])
  await begin('match-2')
  expect(store.state.value).toEqual({ phase: 'on' })
})
