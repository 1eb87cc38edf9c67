import { type BlockStatus, mayChat } from '#protocol/block-status.ts'
import { type HubPerson, hubPerson, meet, report } from '../hub/hub-person.ts'
import { buildOfficialClient } from '../hub/official-client.ts'
import { type SignedInVisitor, signIn } from '../servers/server.ts'

type Brigade = {
  origin: string
  reporters: number
  victims: number
  /** Whether the reporters send video, so that the browsers of the victims confirm the call. */
  media: boolean
  /** Awaited between two calls. */
  pause?: () => void | Promise<void>
}

const statusOf = async (visitor: SignedInVisitor): Promise<BlockStatus> =>
  (await visitor.request('readBlockStatus', { userEmailAddress: visitor.email })).status

async function arrive(origin: string, name: string): Promise<HubPerson> {
  const visitor = await signIn({ origin }, { email: `${name}@example.org` })
  // Not closed by the test framework: the attack closes its connections itself.
  return hubPerson({ origin }, visitor, (address, token) => buildOfficialClient(address, token))
}

/** A call of signalling only, and its report. The reporter always claims to have received video. */
async function meetAndReport(reporter: HubPerson, victim: HubPerson, media: boolean): Promise<void> {
  const { session } = await meet(reporter, victim)
  await reporter.client.invoke('UpdateWebRtcConnectionSuccessStatus', session).catch(() => undefined)
  if (media) await victim.client.invoke('UpdateWebRtcConnectionSuccessStatus', session).catch(() => undefined)
  const notified = victim.next('OnUserReportedByPeer')
  await report(reporter, victim)
  await notified
  await Promise.all([reporter, victim].map(({ client }) => client.stop()))
}

/**
 * New accounts are matched with every victim, one after the other, and report each. Resolves with the victims, none of them
 * connected; `statuses` requests the status of each, `stop` closes every socket.
 */
export async function reportBrigade({ origin, reporters, victims, media, pause }: Brigade) {
  const brigade: HubPerson[] = []
  for (let index = 0; index < reporters; index += 1) brigade.push(await arrive(origin, `brigade${index}`))
  const reported: HubPerson[] = []
  const stop = async () => {
    await Promise.all([...brigade, ...reported].map(({ client }) => client.stop()))
  }
  for (let index = 0; index < victims; index += 1) {
    const victim = await arrive(origin, `victim${index}`)
    reported.push(victim)
    for (const reporter of brigade) {
      await meetAndReport(reporter, victim, media)
      await pause?.()
      // A suspended victim cannot be matched any more.
      if (!mayChat(await statusOf(victim.visitor))) break
    }
  }
  return { victims: reported, statuses: () => Promise.all(reported.map(({ visitor }) => statusOf(visitor))), stop }
}
