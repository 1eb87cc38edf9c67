import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from '@playwright/test'
import { test } from './hub-network.ts'
import { expectLivePicture, type Person, startChat } from './people.ts'

/**
 * Stops the page's thread as Chromium on Android freezes a hidden tab: no timer, no message, no promise. Returns a function that shows it
 * again. (`Page.setWebLifecycleState` freezes hidden pages alone, and Playwright keeps its pages visible.)
 */
async function freeze({ page, context }: Person): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page)
  await session.send('Debugger.enable')
  const paused = new Promise((resolve) => session.once('Debugger.paused', resolve))
  const evaluated = session.send('Runtime.evaluate', { expression: 'debugger' })
  await paused
  return async () => {
    await session.send('Debugger.resume')
    await evaluated
    await session.detach()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  }
}

/** The error popup and everything that waits. */
async function expectNoTrouble({ page }: Person): Promise<void> {
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByText('Reconnecting...')).toHaveCount(0)
}

/** Empties the hub's memory while its server is stopped, as after the time that it waits for its users. */
function forgetMatches(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'waggle.sqlite'))
  database.exec('delete from live_sessions')
  database.close()
}

/** Expects that a search which began before the tab was frozen ends in a call. */
async function expectFound(searching: Person, peer: Person): Promise<void> {
  await startChat(peer)
  for (const { page } of [searching, peer]) await expectLivePicture(page.getByLabel('Peer video'))
  await expectNoTrouble(searching)
}

/** Expects that `left` searches after its call, and ends the search. */
async function expectSearch(left: Person, message: string): Promise<void> {
  await expect(left.page.getByText(message)).toBeVisible()
  await expect(left.page.getByText('Finding a partner...')).toBeVisible()
  await expectNoTrouble(left)
  await left.page.getByRole('button', { name: 'Cancel Matching' }).click()
  await expect(left.page).toHaveURL(/\/dashboard$/)
  await expectNoTrouble(left)
}

async function exit({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Exit', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

test('a tab that was frozen in a search or a call continues, or says what ended, once it is shown', async ({
  arrive,
  network,
}) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')

  async function freezeInSearch(): Promise<() => Promise<void>> {
    await startChat(ada)
    await expect(ada.page.getByText('Finding a partner...')).toBeVisible()
    return freeze(ada)
  }

  await test.step('a search in a frozen tab that keeps its connection', async () => {
    const show = await freezeInSearch()
    await show()
    await expectFound(ada, bela)
  })

  await test.step('a call that the peer left, in a tab that keeps its connection', async () => {
    const show = await freeze(ada)
    await exit(bela)
    await show()
    await expectSearch(ada, 'Béla has left the chat.')
  })

  await test.step('a search in a frozen tab whose connection to the hub broke', async () => {
    const show = await freezeInSearch()
    network.cut()
    await show()
    await expectFound(ada, bela)
  })

  await test.step('a call that the peer left, in a tab whose connection to the hub broke', async () => {
    const show = await freeze(ada)
    // The hub must hear that the peer leaves.
    const opened = bela.page.waitForEvent('websocket')
    network.cut()
    await (await opened).waitForEvent('framereceived')
    await exit(bela)
    await show()
    await expectSearch(ada, 'Béla has left the chat.')
  })

  await test.step('a search in a frozen tab whose hub was restarted', async () => {
    const show = await freezeInSearch()
    await network.killServer()
    await network.startServer()
    await show()
    await expectFound(ada, bela)
  })

  await test.step('a call whose hub is restarted goes on', async () => {
    const show = await freeze(ada)
    await network.killServer()
    await network.startServer()
    await show()
    for (const { page } of [ada, bela]) await expectLivePicture(page.getByLabel('Peer video'))
    await expectNoTrouble(ada)
  })

  await test.step('a call that both peer and hub have forgotten', async () => {
    const show = await freeze(ada)
    await network.killServer()
    await exit(bela)
    forgetMatches(network.dataDir)
    await network.startServer()
    await show()
    await expectSearch(ada, 'The connection to Béla was lost.')
  })
})
