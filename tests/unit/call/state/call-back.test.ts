import { signal } from '@preact/signals-react'
import { expect, test } from 'vitest'
import type { CallState } from '../../../../src/call/rules/call-state.ts'
import { createCallBackStore } from '../../../../src/call/state/call-back.ts'
import { silentLog } from '../../../support/silent-log.ts'

type Permission = 'default' | 'granted' | 'denied'

function tab(answer: Permission = 'granted', given: Permission | null = 'default') {
  const phase = signal<CallState['phase']>('searching')
  const shown: string[] = []
  let permission = given
  let asked = 0
  let hidden = false
  let listener = () => {}
  const store = createCallBackStore({
    notifier: {
      permission: () => permission,
      async ask() {
        asked += 1
        permission = answer
        return answer
      },
      show({ title }) {
        shown.push(title)
        return () => void shown.splice(shown.indexOf(title), 1)
      },
    },
    page: {
      hidden: () => hidden,
      onVisibility: (given) => {
        listener = given
      },
    },
    log: silentLog(),
    phase,
    texts: () => ({ title: 'found', body: '' }),
  })
  function look(away: boolean): void {
    hidden = away
    listener()
  }
  return { ...store, phase, shown, look, asked: () => asked }
}

test('the permission is asked for by the press alone, and once', async () => {
  const { choice, press, phase, look, asked } = tab()
  look(true)
  phase.value = 'connecting'
  look(false)
  phase.value = 'searching'
  expect([choice.value, asked()]).toEqual(['off', 0])
  await press()
  expect([choice.value, asked()]).toEqual(['on', 1])
  await press()
  await press()
  expect([choice.value, asked()]).toEqual(['on', 1])
})

test('a match that is found while the user looks elsewhere calls them until they are back', async () => {
  const { press, phase, look, shown, isCalling } = tab()
  await press()
  look(true)
  phase.value = 'connecting'
  expect([isCalling.value, shown]).toEqual([true, ['found']])
  phase.value = 'in-call'
  expect([isCalling.value, shown]).toEqual([true, ['found']])
  look(false)
  expect([isCalling.value, shown]).toEqual([false, []])
})

test('it ends with the match, and the next match calls again', async () => {
  const { press, phase, look, shown, isCalling } = tab()
  await press()
  look(true)
  phase.value = 'connecting'
  phase.value = 'searching'
  expect([isCalling.value, shown]).toEqual([false, []])
  phase.value = 'connecting'
  expect([isCalling.value, shown]).toEqual([true, ['found']])
})

test('a user who looks at the page is not called, also when they leave it later', async () => {
  const { press, phase, look, shown, isCalling } = tab()
  await press()
  phase.value = 'connecting'
  look(true)
  phase.value = 'in-call'
  expect([isCalling.value, shown]).toEqual([false, []])
})

test('switched off, only the title calls', async () => {
  const { press, phase, look, shown, isCalling } = tab()
  await press()
  await press()
  look(true)
  phase.value = 'connecting'
  expect([isCalling.value, shown]).toEqual([true, []])
})

test.each([
  ['denied', 'default', 'blocked'],
  ['default', 'default', 'off'],
  ['granted', 'denied', 'blocked'],
  ['granted', null, 'unavailable'],
] as const)('asked, the user answers %s where it was %s: %s', async (answer, before, after) => {
  const { choice, press } = tab(answer, before)
  if (before !== null) await press()
  expect(choice.value).toBe(after)
})

test('the next user of this browser has not asked to be called', async () => {
  const { choice, press, forget, phase, look, shown } = tab()
  await press()
  forget()
  look(true)
  phase.value = 'connecting'
  expect([choice.value, shown]).toEqual(['off', []])
})

test('a browser that shows no notifications has no choice to forget', () => {
  const { choice, forget } = tab('denied', null)
  forget()
  expect(choice.value).toBe('unavailable')
})
