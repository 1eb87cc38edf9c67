import { expect, onTestFinished, test } from 'vitest'
import { movableClock } from '../../support/movable-clock.ts'
import { signIn, startServer } from '../../support/servers/server.ts'
import { addModerator, logIn } from '../../support/stores/moderators.ts'

const person = (name: string, address: string) => ({ email: `${name}@example.org`, nickName: name, address })

test('a new account with the network and the device of a banned person is in the queue before its first match, and may chat', async () => {
  const clock = movableClock()
  const server = await startServer({ TRUST_PROXY: '127.0.0.1' }, { clock })
  onTestFinished(() => server.stop())
  const mia = await logIn(server, await addModerator(server.dataDir, 'mia'))
  const queue = async () =>
    (await mia.requestConsole('readQueue', { kind: 'resemblance' })).cases.map(({ nickName }) => nickName)
  const caseOf = async (name: string) => {
    const { cases } = await mia.requestConsole('search', { text: `${name}@example.org` })
    return mia.requestConsole('readCase', { id: cases[0]?.id ?? '' })
  }
  const decide = async (name: string, verdict: 'block' | 'dismiss') => {
    const { id, version } = await caseOf(name)
    await mia.requestConsole('decide', { id, version, verdict, rule: 'no-spam', note: 'As seen.' })
  }

  await signIn(server, person('earlier', '81.2.69.5'))
  await signIn(server, person('banned', '81.2.69.7'))
  clock.forward(1)
  await decide('banned', 'block')
  clock.forward(1)
  const again = await signIn(server, person('again', '81.2.69.200'))
  await signIn(server, person('far', '9.9.9.9'))
  expect(await queue()).toEqual(['again'])
  expect((await again.send('readHubToken', { userSessionId: again.sessionId })).status).toBe(200)
  await decide('again', 'dismiss')
  expect(await queue()).toEqual([])
})
