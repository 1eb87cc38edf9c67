import { expect } from '@playwright/test'
import { sized } from '../../scripts/test-limits.ts'
import { deliveries, meet, test, written } from './hub-network.ts'
import { chatOf, expectLivePicture, type Person, say } from './people.ts'

const ROUNDS = sized(1, 2)

/** Leaves the call. No other user is in the queue, so the two are matched again. */
async function meetAgain(leaver: Person, peer: Person): Promise<void> {
  await leaver.page.getByRole('button', { name: 'Next match', exact: true }).click()
  await expect(peer.page.getByText(`${leaver.nickName} has left the chat.`)).toBeVisible()
  for (const { page } of [leaver, peer]) {
    await expect.poll(() => written(page, 'peer')).toEqual([])
    await expect(page).toHaveURL(/\/chat$/)
    await expectLivePicture(page.getByLabel('Peer video'))
  }
}

test('a search, a call and its chat survive a broken network, and a server that ends', async ({ arrive, network }) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')
  const both = [ada, bela]

  await test.step('a search continues after a broken network and finds a peer', async () => {
    await ada.page.getByRole('button', { name: 'Start video chat' }).click()
    await expect(ada.page.getByText('Finding a partner...')).toBeVisible()
    network.cut()
    await meet(bela)
    await expectLivePicture(ada.page.getByLabel('Peer video'))
  })

  await test.step('a broken network loses neither video nor chat messages', async () => {
    const fromAda: string[] = []
    const fromBela: string[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      fromAda.push(`Ada ${round} before`, `Ada ${round} after`)
      fromBela.push(`Béla ${round} before`, `Béla ${round} after`)
      await say(ada, `Ada ${round} before`)
      await say(bela, `Béla ${round} before`)
      network.cut()
      await say(ada, `Ada ${round} after`)
      await say(bela, `Béla ${round} after`)
      for (const { page } of both) await expectLivePicture(page.getByLabel('Peer video'))
    }
    for (const [person, others] of [
      [ada, fromBela],
      [bela, fromAda],
    ] as const) {
      await expect.poll(() => written(person.page, 'peer')).toEqual(others)
      await expect.poll(() => deliveries(person.page)).toEqual(Array(2 * ROUNDS).fill('sent'))
      await expect(person.page).toHaveURL(/\/chat$/)
    }
    expect(await written(ada.page, 'self')).toEqual(fromAda)
  })

  for (const [what, end] of [
    ['stopped', 'stopServer'],
    ['killed', 'killServer'],
  ] as const)
    await test.step(`a server that is ${what} and restarted during a call resumes the call`, async () => {
      await meetAgain(ada, bela)
      await say(ada, 'before')
      await expect(chatOf(bela).getByText('before', { exact: true })).toBeVisible()

      await network[end]()
      for (const { page } of both) {
        await expect(page.getByText('Reconnecting... The call goes on.')).toBeVisible()
        await expectLivePicture(page.getByLabel('Peer video'))
      }
      await say(ada, 'meanwhile')
      await network.startServer()

      await expect(chatOf(bela).getByText('meanwhile', { exact: true })).toBeVisible()
      await say(bela, 'and back')
      await expect(chatOf(ada).getByText('and back', { exact: true })).toBeVisible()
      expect(await written(bela.page, 'peer')).toEqual(['before', 'meanwhile'])
      for (const { page } of both) {
        await expect(page.getByText('Reconnecting... The call goes on.')).toBeHidden()
        await expectLivePicture(page.getByLabel('Peer video'))
      }
    })

  await test.step('after a restart the two can part and meet again', () => meetAgain(ada, bela))
})
