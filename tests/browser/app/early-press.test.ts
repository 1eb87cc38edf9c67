import { afterEach, expect, test } from 'vitest'
import { keepEarlyPress, repeatEarlyPress } from '../../../src/app/early-press.ts'

afterEach(() => document.body.replaceChildren())

/** Draws buttons of these names, and counts their presses. */
function draw(...names: string[]): Record<string, number> {
  const presses: Record<string, number> = {}
  document.body.replaceChildren(
    ...names.map((name) => {
      const button = document.createElement('button')
      button.append(name)
      button.addEventListener('click', () => {
        presses[name] = (presses[name] ?? 0) + 1
      })
      return button
    }),
  )
  return presses
}

const press = (place: number) => document.querySelectorAll('button')[place]?.click()

test('a press before React answers is repeated once', async () => {
  const presses = draw('Language', 'Cookies')
  keepEarlyPress()
  press(1)
  repeatEarlyPress()
  await expect.poll(() => presses).toEqual({ Cookies: 2 })
  press(0)
  repeatEarlyPress()
  await Promise.resolve()
  expect(presses).toEqual({ Cookies: 2, Language: 1 })
})

test('on a translated page, which React has drawn anew, the button in its place is pressed', async () => {
  draw('Sprache', 'Kekse')
  keepEarlyPress()
  press(1)
  const presses = draw('Language', 'Cookies')
  repeatEarlyPress()
  await expect.poll(() => presses).toEqual({ Cookies: 1 })

  keepEarlyPress()
  press(1)
  const others = draw('Language', 'Delete', 'Cookies')
  repeatEarlyPress()
  await Promise.resolve()
  expect(others).toEqual({})
})
