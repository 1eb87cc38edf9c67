import { expect, it } from 'vitest'
import { createStartAnswer } from '../../../workers/offline/start-answer.ts'

/** An answer ahead whose requests are answered by their number; the first `failures` fail. */
function numbered(failures = 0) {
  const clock = { now: 1_000 }
  let count = 0
  const answer = createStartAnswer(
    async () => {
      count += 1
      if (count <= failures) throw new TypeError('Failed to fetch')
      return new Response(String(count))
    },
    () => clock.now,
  )
  const text = async () => (await answer.take())?.text()
  return { answer, clock, text, sent: () => count }
}

it('is given once, to the first who asks', async () => {
  const { answer, text, sent } = numbered()
  expect(answer.isThere()).toBe(false)
  expect(answer.take()).toBeNull()
  const ended = answer.askAhead()
  expect(answer.isThere()).toBe(true)
  await ended
  expect(await text()).toBe('1')
  expect(answer.isThere()).toBe(false)
  expect(await text()).toBeUndefined()
  expect(sent()).toBe(1)
})

it('is asked for anew by each visit, since the user may have signed in or out in between', async () => {
  const { answer, text } = numbered()
  await answer.askAhead()
  await answer.askAhead()
  expect(await text()).toBe('2')
  expect(await text()).toBeUndefined()
  await answer.askAhead()
  expect(await text()).toBe('3')
})

it('is thrown away after ten seconds', async () => {
  const { answer, clock, text, sent } = numbered()
  await answer.askAhead()
  clock.now += 10_000
  expect(answer.isThere()).toBe(true)
  clock.now += 1
  expect(answer.isThere()).toBe(false)
  expect(await text()).toBeUndefined()
  await answer.askAhead()
  expect(await text()).toBe('2')
  expect(sent()).toBe(2)
})

it('that fails is told to whoever takes it, and to nobody else', async () => {
  const { answer } = numbered(1)
  await answer.askAhead()
  await expect(answer.take()).rejects.toThrow('Failed to fetch')
})
