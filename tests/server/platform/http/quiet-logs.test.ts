import { once } from 'node:events'
import { connect } from 'node:net'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeService } from '../../../support/fakes/fake-service.ts'
import { RawClient } from '../../../support/hub/hub-client.ts'
import { jpeg } from '../../../support/pictures/pictures.ts'
import { identityToken, newVisitor, type SignedInVisitor, signIn } from '../../../support/servers/server.ts'
import { startServerProcess } from '../../../support/servers/server-process.ts'

/** Every way in which a text may have been written down. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  return [text, encodeURIComponent(text), bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
}

async function dial(url: string, person: SignedInVisitor, token: string): Promise<RawClient> {
  const headers = { authorization: `Bearer ${token}` }
  const negotiated = await person.fetch('/chathub/negotiate?negotiateVersion=1', { method: 'POST', headers })
  const { connectionToken } = v.parse(v.object({ connectionToken: v.string() }), await negotiated.json())
  const query = `userSessionId=${person.sessionId}&email=${encodeURIComponent(person.email)}`
  const client = await RawClient.dial(
    `${url}/chathub?${query}&id=${connectionToken}&access_token=${token}`,
    person.email,
  )
  client.send({ protocol: 'json', version: 1 })
  client.id = v.parse(v.tuple([v.string()]), await client.event('OnUserConnected'))[0]
  return client
}

test('whatever happens, no address, token, chat text or frame reaches a line of the log', async () => {
  const secrets = {
    JWT_SECRET: 'jwt-secret-of-this-test-'.repeat(2),
    ALIAS_SECRET: 'alias-secret-of-this-test-'.repeat(2),
    TURN_SECRET: 'turn-secret-of-this-test',
    METRICS_TOKEN: 'metrics-token-of-this-test-of-logs',
    IP_LOOKUP_TOKEN: 'lookup-token-of-this-test',
  }
  const lookup = await startFakeService(() => ({ status: 500, body: { city: 'Lookuptown' } }))
  const lines: string[] = []
  const server = await startServerProcess(
    {
      ...secrets,
      LOG_LEVEL: 'trace',
      CLIENT_LOGS: 'Info',
      TURN_URL: 'turn:127.0.0.1',
      IP_LOOKUP_URL: `${lookup.url}/{ip}`,
    },
    (line) => lines.push(line),
  )
  onTestFinished(lookup.close)
  const origin = { origin: server.url }
  const hidden = new Set<string>(Object.values(secrets))
  const hide = (...texts: string[]) => {
    for (const text of texts) hidden.add(text)
  }

  const chat = 'a line of chat that nobody else may read'
  const sdp = 'v=0\r\no=secret-of-the-offer\r\nm=audio 9 x\r\nm=video 9 x\r\n'
  const logged = 'a line of the browser that stays in the store'
  hide(chat, 'secret-of-the-offer', logged)
  const people: SignedInVisitor[] = []
  for (const name of ['Adalgisa', 'Bertrand']) {
    const email = `${name.toLowerCase()}.o'secret@example.org`
    const person = await signIn(origin, { email, firstName: name, lastName: `Mc${name}`, nickName: name })
    people.push(person)
    hide(email, name, `Mc${name}`, '1990-12-10', ...person.cookies.values())
    const { hubConnectionAccessToken } = await person.request('readHubToken', { userSessionId: person.sessionId })
    const { credential } = await person.request('readTurn', undefined)
    hide(hubConnectionAccessToken, credential, await identityToken(person, { email }))
    await person.request('readIp', undefined)
    await person.send('readBlockStatus', { userEmailAddress: email })
    await person.send('appeal', { UserEmailAddress: email })
    await person.request('refreshAccessToken', undefined)
    hide(...person.cookies.values())
  }
  const [ada, bob] = people
  if (!ada || !bob) throw new Error('nobody is signed in')

  const tokenOf = async (person: SignedInVisitor) =>
    (await person.request('readHubToken', { userSessionId: person.sessionId })).hubConnectionAccessToken
  const [one, two] = [await dial(server.url, ada, await tokenOf(ada)), await dial(server.url, bob, await tokenOf(bob))]
  await one.join()
  await two.join()
  const match = await one.matched()
  const [caller, callee] = match.role === 'Caller' ? [one, two] : [two, one]
  await caller.invoke('HandleOffer', match.session, callee.id, JSON.stringify({ type: 'offer', sdp }))
  await caller.invoke('SendChatMessageToPeer', match.session, callee.id, Buffer.from(chat).toString('base64'), 'm1')
  await caller.invoke('SendChatMessageToPeer', match.session, 'nobody', chat, 'm2')
  const note = 'words of the reporter that nobody but a moderator reads'
  hide(note)
  const details = { reason: 'other', note } as const
  const invalid = { ...details, note: note.repeat(9) }
  await caller.invoke('HandleReportedUser', caller.id, callee.id, 'ReportOnly', match.session, invalid)
  await caller.invoke('HandleReportedUser', caller.id, callee.id, 'ReportOnly', match.session, details)
  callee.raw(`{"type":1,"target":"${chat}","arguments":[${chat}\u001e`)
  await callee.close()

  const blob = await jpeg()
  const bytes = Buffer.from(await blob.arrayBuffer())
  hide(
    bytes.toString('base64').slice(200, 260),
    bytes.toString('hex').slice(200, 260),
    bytes.toString('latin1', 100, 140),
  )
  const frame = { EmailAddress: ada.email, UserSessionId: ada.sessionId, file: { blob, fileName: 'frame.jpg' } }
  await ada.request('addVideoFrame', frame)
  await ada.request('addReportedFrame', frame)
  const dateTime = '2026-01-01T00:00:00Z'
  await ada.request('addLogs', [
    { userSessionId: 's', logMessage: logged, logLevel: 'Info', platform: 'Web', dateTime },
  ])

  const wrong = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"UserEmailAddress": "${ada.email}`,
  }
  expect((await ada.fetch('/api/users/block/appeal', wrong)).status).toBe(400)
  expect((await ada.fetch(`/api/users/block/get?userEmailAddress=${encodeURIComponent(bob.email)}`)).status).toBe(403)
  expect((await newVisitor(origin).fetch(`/no-such-page.txt?token=${ada.cookies.get('access')}`)).status).toBe(404)
  const raw = connect(Number(new URL(server.url).port), 'localhost')
  raw.end(`GET / HTTP/1.1\r\nCookie: access=${ada.cookies.get('access')}\r\nbroken header ${ada.email}\r\n\r\n`)
  await once(raw.resume(), 'close')
  await ada.request('logout', undefined)
  await one.leave()
  expect(await server.stop()).toBe(0)

  const log = lines.join('\n')
  expect(log).toContain('match made')
  expect(log).toContain('location: lookup failed')
  for (const text of hidden)
    for (const form of formsOf(text))
      expect(
        lines.filter((line) => line.includes(form)),
        `${text} in the log`,
      ).toEqual([])
})
