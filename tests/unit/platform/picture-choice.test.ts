import { expect, test } from 'vitest'
import { pictureChoices, presetChoice, savesData } from '../../../src/platform/rules/picture-choice.ts'
import { createPictureChoice } from '../../../src/platform/state/picture-choice.ts'
import { silentLog } from '../../support/silent-log.ts'

function browser({ wantsLessData = false } = {}) {
  const kept = new Map<string, Blob | string>()
  const storage = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: Blob | string) => void kept.set(key, value),
  }
  return { kept, visit: () => createPictureChoice({ storage, log: silentLog(), wantsLessData: () => wantsLessData }) }
}

test('the data saver and sound only save data, the others do not', () => {
  expect(pictureChoices.filter(savesData)).toEqual(['saver', 'sound'])
})

test.each([
  [true, 'saver', true],
  [false, 'best', false],
] as const)('without a stored choice, a browser that wants little data (%s) has %s', async (wants, choice, isSaver) => {
  expect(presetChoice(wants)).toBe(choice)
  const store = browser({ wantsLessData: wants }).visit()
  expect([store.choice.value, store.isSaver.value]).toEqual([choice, isSaver])
  await store.restore()
  expect([store.choice.value, store.isSaver.value]).toEqual([choice, isSaver])
})

test.each(pictureChoices)('%s is stored, and comes before what the browser wants', async (choice) => {
  for (const wantsLessData of [true, false]) {
    const { visit } = browser({ wantsLessData })
    visit().choose(choice)
    const next = visit()
    await next.restore()
    expect([next.choice.value, next.isSaver.value]).toEqual([choice, savesData(choice)])
  }
})

test.each([
  [false, ['sound'], 'best'],
  [true, ['sound'], 'saver'],
  [false, ['saver', 'sound'], 'saver'],
  [true, ['balanced', 'sound', 'sound'], 'balanced'],
] as const)(
  'after sound only the choice before holds again (data saver wanted: %s, chosen: %j)',
  (wants, chosen, then) => {
    const store = browser({ wantsLessData: wants }).visit()
    for (const choice of chosen) store.choose(choice)
    store.choosePicture()
    expect(store.choice.value).toBe(then)
  },
)

test('a choice made while the stored one is read stays', async () => {
  const { visit } = browser()
  visit().choose('saver')
  const store = visit()
  const restored = store.restore()
  store.choose('balanced')
  await restored
  expect(store.choice.value).toBe('balanced')
})

test.each(['', 'low', 'toString', new Blob(['saver'])])(
  'something else in its place (%j) is no choice',
  async (value) => {
    for (const wantsLessData of [true, false]) {
      const { kept, visit } = browser({ wantsLessData })
      visit().choose('balanced')
      for (const key of kept.keys()) kept.set(key, value)
      const store = visit()
      await store.restore()
      expect(store.choice.value).toBe(presetChoice(wantsLessData))
    }
  },
)

test('is the preset again after the user’s data were cleared', async () => {
  const { kept, visit } = browser()
  const store = visit()
  store.choose('sound')
  kept.clear()
  await store.restore()
  expect(store.choice.value).toBe('best')
})

test('applies if the browser stores nothing, which is logged', async () => {
  const log = silentLog()
  const storage = { get: async () => undefined, set: () => Promise.reject(new Error('full')) }
  const store = createPictureChoice({ storage, log, wantsLessData: () => false })
  store.choose('saver')
  expect(store.isSaver.value).toBe(true)
  await expect.poll(() => log.errors).toEqual(['The choice of pictureChoice was not kept'])
})
