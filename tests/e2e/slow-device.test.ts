import { expect } from '@playwright/test'
import { meet, test } from './hub-network.ts'
import { expectLivePicture } from './people.ts'

test('a match that is found before a slow device shows the search becomes a call', async ({ arrive }) => {
  const ida = await arrive('Ida')
  const jan = await arrive('Jan')
  await meet(ida, jan)
  await ida.page.evaluate(() => {
    const start = document.startViewTransition.bind(document)
    let slow = true
    document.startViewTransition = (options) => {
      if (!slow || options === undefined) return start(options)
      slow = false
      const update = typeof options === 'function' ? options : options.update
      const shown = async () => {
        await new Promise((resolve) => setTimeout(resolve, 3_000))
        await update?.()
      }
      return start(typeof options === 'function' ? shown : { ...options, update: shown })
    }
  })
  await ida.page.getByRole('button', { name: 'Next match', exact: true }).click()
  await expect(jan.page.getByText('Ida has left the chat.')).toBeVisible()
  for (const { page } of [ida, jan]) {
    await expect(page).toHaveURL(/\/chat$/)
    await expectLivePicture(page.getByLabel('Peer video'))
  }
})
