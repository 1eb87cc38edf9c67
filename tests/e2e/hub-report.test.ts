import { expect, type Page } from '@playwright/test'
import { meet, test } from './hub-network.ts'

// Rules: docs/product.md CALL-9, REPORT-4.

/** Stands between the page and the hub. Returns functions that cut it off and let it through again. */
async function hubSwitch(page: Page) {
  let isAway = false
  let close = () => {}
  await page.routeWebSocket(/\/chathub/, (socket) => {
    if (isAway) {
      void socket.close()
      return
    }
    socket.connectToServer()
    close = () => void socket.close({ code: 1011 })
  })
  return {
    cut(): void {
      isAway = true
      close()
    },
    restore(): void {
      isAway = false
    },
  }
}

test('a peer who leaves does not prevent the report that is being written', async ({ arrive }) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')
  const { page } = ada
  await meet(ada, bela)
  await page.getByRole('button', { name: 'Report User' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Block & Report:').click()
  await dialog.getByLabel('Reason (optional)').selectOption('Harassment or hate')
  await bela.page.close()
  await expect(dialog.getByText('The call is over. You can still report this person.')).toBeVisible()
  await expect(page.getByLabel('Peer video')).toBeHidden()
  await expect(dialog).toContainText('Béla')
  await expect(dialog.getByLabel('Reason (optional)')).toHaveValue('harassment')
  await dialog.getByRole('button', { name: 'Ok' }).click()
  await expect(page.getByText('Thank you. Your report was sent to the moderators.')).toBeVisible()
  await expect(page.getByText('Finding a partner...')).toBeVisible()
})

test('a report without a hub ends the call at once and is sent on the next visit', async ({ arrive }) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')
  const { page } = ada
  const hub = await hubSwitch(page)
  await meet(ada, bela)
  hub.cut()
  await expect(page.getByText('Reconnecting... The call goes on.')).toBeVisible()

  await page.getByRole('button', { name: 'Report User' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect(page.getByLabel('Peer video')).toBeHidden()
  await expect(page).toHaveURL(/\/buzzing$/)
  await expect(page.getByText('Your report will be sent as soon as the connection is back.')).toBeVisible()

  await page.reload()
  await expect(page.getByRole('button', { name: 'Start video chat' })).toBeVisible()
  hub.restore()
  await page.getByRole('button', { name: 'Start video chat' }).click()
  await expect(page.getByText('Thank you. Your report was sent to the moderators.')).toBeVisible()
  await expect(page.getByText('Finding a partner...')).toBeVisible()
})
