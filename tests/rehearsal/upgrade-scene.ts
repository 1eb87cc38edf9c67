import type { Fleet } from '../support/fleet/many-servers.ts'
import { type HttpLoad, startHttpLoad } from '../support/servers/http-load.ts'
import {
  type Caller,
  type Chatter,
  callInBrowsers,
  chatClient,
  newPerson,
  untilAll,
  untilAllChat,
  writeToEachOther,
} from './upgrade-people.ts'

const TALKERS = 20
const DASHBOARDS = 3

export type Scene = {
  site: Fleet
  /** In matches, writing all the time. */
  talkers: Chatter[]
  chats: Promise<void>[]
  /** In the queue, the first one longest; they are never matched with each other. */
  waiters: Chatter[]
  /** Two browsers in a call. */
  callers: Caller[]
  /** The requests of dashboards. */
  load: HttpLoad
  stops: (() => Promise<unknown>)[]
  /** Connects a newcomer through `at`, who must be matched with `waiter`. */
  meetInTurn(at: string, name: string, waiter: Chatter | undefined): Promise<Chatter>
}

/** People of every kind at the site, each signed in over HTTP. */
export async function arrange(site: Fleet): Promise<Scene> {
  const stops: Scene['stops'] = []
  const names = (kind: string, count: number) => Array.from({ length: count }, (_, index) => `${kind}-${index}`)
  const signedIn = async (kind: string, count: number) => {
    const people = []
    for (const name of names(kind, count)) people.push(await newPerson(site, name))
    return people
  }
  const begin = async (clients: readonly Chatter[]) => {
    for (const client of clients) {
      stops.push(() => client.stop())
      await client.start()
    }
  }
  const isMatched = ({ session }: Chatter) => session !== null

  const waiting = await signedIn('waiting', 2)
  const parting = waiting.map((visitor) => chatClient(site.origin, visitor))
  await begin(parting)
  await untilAll(parting, 'matched', isMatched)
  await parting[0]?.report()
  for (const client of parting) await client.stop()

  const { browser, callers } = await callInBrowsers(site)
  stops.push(() => browser.close())
  await writeToEachOther(callers, 'before')

  const talkers = (await signedIn('talker', TALKERS)).map((visitor) => chatClient(site.origin, visitor))
  await begin(talkers)
  await untilAll(talkers, 'matched', isMatched)
  const chats = talkers.map((client) => client.keepChatting())

  const waiters = waiting.map((visitor) => chatClient(site.origin, visitor))
  for (const client of waiters) {
    await begin([client])
    await untilAll([client], 'in the queue', ({ joins }) => joins > 0)
  }
  const load = startHttpLoad(site, await signedIn('dashboard', DASHBOARDS))
  stops.push(() => load.end())
  await untilAllChat(talkers)

  async function meetInTurn(at: string, name: string, waiter: Chatter | undefined): Promise<Chatter> {
    const newcomer = chatClient(at, await newPerson(site, name))
    stops.push(() => newcomer.stop())
    await newcomer.start()
    await untilAll([newcomer], 'matched', isMatched)
    if (waiter) await untilAll([waiter], `matched with ${name}`, ({ session }) => session === newcomer.session)
    return newcomer
  }
  return { site, talkers, chats, waiters, callers, load, stops, meetInTurn }
}
