import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ConsoleWords } from '#protocol/console.ts'
import { AppError } from '#protocol/errors.ts'
import { renderConsole } from '../../support/browser/console-page.tsx'

const view = page.getByRole('article', { name: 'Words' })
const refusedList = view.getByRole('list', { name: 'Refused words' })
const suggestedList = view.getByRole('list', { name: 'Suggested interests' })

test('a word is refused from the suggestions or as typed, and allowed again', async () => {
  await page.viewport(1280, 800)
  const words: ConsoleWords = { suggested: ['chess', 'zorg'], refused: [] }
  renderConsole(
    {
      readWords: () => words,
      refuseWord: ({ word }) => {
        words.suggested = words.suggested.filter((one) => one !== word)
        words.refused = [...words.refused, { word, moderator: 'mia', at: 0 }]
        return { ...words }
      },
      allowWord: ({ word }) => {
        words.refused = words.refused.filter((one) => one.word !== word)
        return { ...words }
      },
    },
    '/moderation',
  )
  await page.getByRole('link', { name: 'Words' }).click()
  await view.getByRole('button', { name: 'Refuse zorg' }).click()
  await expect.element(refusedList.getByText(/by mia/)).toBeVisible()
  await expect.element(suggestedList.getByText('zorg')).not.toBeInTheDocument()
  await view.getByLabelText('Refuse', { exact: true }).fill('evil')
  await userEvent.keyboard('{Enter}')
  await expect.element(view.getByRole('button', { name: 'Allow evil' })).toBeVisible()
  await expect.element(view.getByLabelText('Refuse', { exact: true })).toHaveValue('')
  await view.getByRole('button', { name: 'Allow zorg' }).click()
  await expect.element(refusedList.getByText('zorg')).not.toBeInTheDocument()
})

test('a word that the server does not take stays in the field, and the reason is shown', async () => {
  renderConsole(
    {
      readWords: () => ({ suggested: [], refused: [] }),
      refuseWord: () => {
        throw new AppError('bad-request')
      },
    },
    '/moderation/words',
  )
  await view.getByLabelText('Refuse', { exact: true }).fill('no@word')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert').getByText(/is still here/)).toBeVisible()
  await expect.element(view.getByLabelText('Refuse', { exact: true })).toHaveValue('no@word')
})
