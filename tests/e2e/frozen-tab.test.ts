import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from '@playwright/test'
import { meet, test } from './hub-network.ts'
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

for (const [what, lose] of [
  ['whose connection to the hub broke', 'cut'],
  ['whose hub was restarted', 'restart'],
  ['that keeps its connection', 'keep'],
] as const)
  test(`a search in a frozen tab ${what} continues once it is shown`, async ({ arrive, network }) => {
    const ada = await arrive('Ada')
    const bela = await arrive('Béla')
    await startChat(ada)
    await expect(ada.page.getByText('Finding a partner...')).toBeVisible()
    const show = await freeze(ada)
    if (lose === 'cut') network.cut()
    if (lose === 'restart') {
      await network.killServer()
      await network.startServer()
    }
    await show()
    await startChat(bela)
    for (const { page } of [ada, bela]) await expectLivePicture(page.getByLabel('Peer video'))
    await expectNoTrouble(ada)
  })

for (const [what, isCut] of [
  ['whose connection to the hub broke', true],
  ['that keeps its connection', false],
] as const)
  test(`a call that the peer left while the tab was frozen, ${what}, is over once it is shown`, async ({
    arrive,
    network,
  }) => {
    const cleo = await arrive('Cleo')
    const dora = await arrive('Dora')
    await meet(cleo, dora)
    const show = await freeze(cleo)
    if (isCut) {
      // The hub must hear that the peer leaves.
      const opened = dora.page.waitForEvent('websocket')
      network.cut()
      await (await opened).waitForEvent('framereceived')
    }
    await dora.page.getByRole('button', { name: 'Exit', exact: true }).click()
    await expect(dora.page).toHaveURL(/\/dashboard$/)
    await show()
    await expect(cleo.page.getByText('Dora has left the chat.')).toBeVisible()
    await expect(cleo.page.getByText('Finding a partner...')).toBeVisible()
    await expectNoTrouble(cleo)

    await cleo.page.getByRole('button', { name: 'Cancel Matching' }).click()
    await expect(cleo.page).toHaveURL(/\/dashboard$/)
    await expectNoTrouble(cleo)
  })

test('a call that both peer and hub have forgotten while the tab was frozen is over once it is shown', async ({
  arrive,
  network,
}) => {
  const gerda = await arrive('Gerda')
  const hugo = await arrive('Hugo')
  await meet(gerda, hugo)
  const show = await freeze(gerda)
  await network.killServer()
  await hugo.page.getByRole('button', { name: 'Exit', exact: true }).click()
  await expect(hugo.page).toHaveURL(/\/dashboard$/)
  forgetMatches(network.dataDir)
  await network.startServer()
  await show()
  await expect(gerda.page.getByText('The connection to Hugo was lost.')).toBeVisible()
  await expect(gerda.page.getByText('Finding a partner...')).toBeVisible()
  await expectNoTrouble(gerda)
})

test('a call in a tab that is frozen while the hub is restarted goes on', async ({ arrive, network }) => {
  const emil = await arrive('Emil')
  const fanny = await arrive('Fanny')
  await meet(emil, fanny)
  const show = await freeze(emil)
  await network.killServer()
  await network.startServer()
  await show()
  for (const { page } of [emil, fanny]) await expectLivePicture(page.getByLabel('Peer video'))
  await expectNoTrouble(emil)
})
