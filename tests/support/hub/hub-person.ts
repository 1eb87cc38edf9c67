import type { HubConnection } from '@microsoft/signalr'
import type { SignedInVisitor, TestServer } from '../servers/server.ts'
import { officialClientWith } from './hub-test.ts'

type Heard = (...args: unknown[]) => void

/** A signed-in user with the official client on the hub of a whole server, not started. */
export function hubPerson(
  server: Pick<TestServer, 'origin'>,
  visitor: SignedInVisitor,
  connect: typeof officialClientWith = officialClientWith,
) {
  const { sessionId, email } = visitor
  const address = `${server.origin}/chathub?userSessionId=${sessionId}&email=${encodeURIComponent(email)}`
  const client: HubConnection = connect(address, async () => {
    const { hubConnectionAccessToken } = await visitor.request('readHubToken', { userSessionId: sessionId })
    return hubConnectionAccessToken
  })
  /** The arguments of the next event of this name. */
  const next = (event: string) =>
    new Promise<unknown[]>((resolve) => {
      const heard: Heard = (...args) => {
        client.off(event, heard)
        resolve(args)
      }
      client.on(event, heard)
    })
  return {
    visitor,
    client,
    next,
    /** Resolves with the reason when the connection is over for good. */
    ended: new Promise<string>((resolve) => client.onclose((error) => resolve(error?.message ?? ''))),
    async queue(): Promise<void> {
      if (client.state !== 'Connected') await client.start()
      await client.invoke('InitiateMatchingWithPeers', client.connectionId, '[]')
    },
  }
}

export type HubPerson = ReturnType<typeof hubPerson>

const sdp = 'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n'

/** Matches two users who are alone in the queue and relays offer and answer; neither has confirmed the other's picture. */
export async function meet(one: HubPerson, other: HubPerson) {
  const matches = [one.next('OnUserMatched'), other.next('OnUserMatched')] as const
  await one.queue()
  await other.queue()
  const [[role, session], _] = await Promise.all(matches)
  const id = String(session)
  const [caller, callee] = role === 'Caller' ? [one, other] : [other, one]
  const offered = callee.next('OnOfferReceived')
  await caller.client.invoke('HandleOffer', id, callee.client.connectionId, JSON.stringify({ type: 'offer', sdp }))
  await offered
  const answered = caller.next('OnAnswerReceived')
  await callee.client.invoke('HandleAnswer', id, caller.client.connectionId, JSON.stringify({ type: 'answer', sdp }))
  await answered
  return { session: id, caller, callee }
}

/** Matches two users who are alone in the queue into a call that both have confirmed. */
export async function call(one: HubPerson, other: HubPerson) {
  const met = await meet(one, other)
  for (const { client } of [met.caller, met.callee])
    await client.invoke('UpdateWebRtcConnectionSuccessStatus', met.session)
  return met
}

/** `by` reports the partner of the current or last match. */
export async function report(by: HubPerson, whom: HubPerson, type = 'ReportOnly'): Promise<void> {
  await by.client.invoke('HandleReportedUser', by.client.connectionId, whom.client.connectionId, type)
}
