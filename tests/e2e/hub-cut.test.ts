import { expect } from '@playwright/test'
import { deliveries, meet, test, written } from './hub-network.ts'
import { chatOf, expectLivePicture, say } from './people.ts'

test('a broken network loses neither video nor chat messages', async ({ arrive, network }) => {
  const ada = await arrive('Ada')
  const bela = await arrive('Béla')
  await meet(ada, bela)
  const fromAda: string[] = []
  const fromBela: string[] = []

  for (let round = 1; round <= 2; round += 1) {
    fromAda.push(`Ada ${round} before`, `Ada ${round} after`)
    fromBela.push(`Béla ${round} before`, `Béla ${round} after`)
    await say(ada, `Ada ${round} before`)
    await say(bela, `Béla ${round} before`)
    network.cut()
    await say(ada, `Ada ${round} after`)
    await say(bela, `Béla ${round} after`)
    for (const { page } of [ada, bela]) await expectLivePicture(page.getByLabel('Peer video'))
  }

  for (const [person, others] of [
    [ada, fromBela],
    [bela, fromAda],
  ] as const) {
    await expect.poll(() => written(person.page, 'peer')).toEqual(others)
    await expect.poll(() => deliveries(person.page)).toEqual(Array(4).fill('sent'))
    await expect(person.page).toHaveURL(/\/chat$/)
  }
  expect(await written(ada.page, 'self')).toEqual(fromAda)
})

for (const [what, end] of [
  ['stopped', 'stopServer'],
  ['killed', 'killServer'],
] as const)
  test(`a server that is ${what} and restarted during a call resumes the call`, async ({ arrive, network }) => {
    const cleo = await arrive('Cleo')
    const dora = await arrive('Dora')
    await meet(cleo, dora)
    await say(cleo, 'before')
    await expect(chatOf(dora).getByText('before', { exact: true })).toBeVisible()

    await network[end]()
    for (const { page } of [cleo, dora]) {
      await expect(page.getByText('Reconnecting... The call goes on.')).toBeVisible()
      await expectLivePicture(page.getByLabel('Peer video'))
    }
    await say(cleo, 'meanwhile')
    await network.startServer()

    await expect(chatOf(dora).getByText('meanwhile', { exact: true })).toBeVisible()
    await say(dora, 'and back')
    await expect(chatOf(cleo).getByText('and back', { exact: true })).toBeVisible()
    expect(await written(dora.page, 'peer')).toEqual(['before', 'meanwhile'])
    for (const { page } of [cleo, dora]) {
      await expect(page.getByText('Reconnecting... The call goes on.')).toBeHidden()
      await expectLivePicture(page.getByLabel('Peer video'))
    }

    await cleo.page.getByRole('button', { name: 'Next match', exact: true }).click()
    await expect(dora.page.getByText('Cleo has left the chat.')).toBeVisible()
    // No other user is in the queue, so the two are matched again.
    for (const { page } of [cleo, dora]) {
      await expect(page).toHaveURL(/\/chat$/)
      await expectLivePicture(page.getByLabel('Peer video'))
      expect(await written(page, 'peer')).toEqual([])
    }
  })

test('a search continues after a broken network and finds a peer', async ({ arrive, network }) => {
  const emil = await arrive('Emil')
  const fanny = await arrive('Fanny')
  await emil.page.getByRole('button', { name: 'Start video chat' }).click()
  await expect(emil.page.getByText('Finding a partner...')).toBeVisible()
  network.cut()
  await meet(fanny)
  await expectLivePicture(emil.page.getByLabel('Peer video'))
})
