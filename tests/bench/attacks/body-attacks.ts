import { MINUTE_MS } from '#protocol/durations.ts'
import { holdRefusedSockets, type RefusedRequest, refusedRequests } from '../../support/attacks/held-sockets.ts'
import {
  EMPTY_ENTRIES_OF_A_BATCH,
  sendDeepJson,
  sendHugeLogBatch,
  sendLongText,
  sendManyKeys,
} from '../../support/attacks/huge-json.ts'
import { readMetricsThroughProxies } from '../../support/attacks/metrics-through-proxy.ts'
import { provokeProviderFaults } from '../../support/attacks/provider-faults.ts'
import { sendFrame, sendPicture, slowJpeg } from '../../support/attacks/slow-pictures.ts'
import { holdUnfinishedUploads, type UnfinishedUpload } from '../../support/attacks/unfinished-uploads.ts'
import { type Attacks, countsOf, peopleOf, proxied } from './attack.ts'

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
type Answered = { status: number | string }
const statusesOf = (answers: readonly Answered[]) => countsOf(answers.map(({ status }) => status))
/** A server may end a connection before the whole body is sent, or end itself. */
const orCut = (answer: Promise<Answered>): Promise<Answered> => answer.catch(() => ({ status: 'cut off' }))

/** The Cookie header of a signed-in person: a visitor's large bodies are refused by their announced size. */
async function loginAt(origin: string): Promise<{ cookie: string }> {
  const [person] = await peopleOf(origin, 1)
  return { cookie: [...(person?.cookies ?? [])].map((pair) => pair.join('=')).join('; ') }
}

/** Counts how uploads that never end were answered within so many milliseconds. */
async function holdFor(origin: string, uploads: UnfinishedUpload[], ms: number) {
  return holdUnfinishedUploads(origin, uploads, async (held) => {
    await wait(ms)
    return countsOf(held.map(({ status }) => status() ?? 'held to the end'))
  })
}

/** Bodies that cost more than they weigh, and requests that are never finished. */
export const bodyAttacks: Attacks = {
  'huge-json': {
    what: 'a log batch of 174,000 empty objects, every half second, 10 s',
    async prepare(origin) {
      const login = await loginAt(origin)
      return async () => {
        const statuses: Answered[] = []
        for (let sent = 0; sent < 20; sent += 1) {
          statuses.push(await orCut(sendHugeLogBatch(origin, EMPTY_ENTRIES_OF_A_BATCH, login)))
          await wait(500)
        }
        return statusesOf(statuses)
      }
    },
    atMostMs: MINUTE_MS,
  },
  'huge-json-at-once': {
    what: 'ten of them at once, three times',
    async prepare(origin) {
      const login = await loginAt(origin)
      const send = () => orCut(sendHugeLogBatch(origin, EMPTY_ENTRIES_OF_A_BATCH, login))
      return async () => {
        const statuses: Answered[] = []
        for (let round = 0; round < 3; round += 1) {
          statuses.push(...(await Promise.all(Array.from({ length: 10 }, send))))
          await wait(3_000)
        }
        return statusesOf(statuses)
      }
    },
    atMostMs: 2 * MINUTE_MS,
  },
  'odd-json': {
    what: '100,000 levels, 25,000 keys, a text of 200,000 characters, ten times',
    async prepare(origin) {
      const login = await loginAt(origin)
      return async () => {
        const statuses: Answered[] = []
        for (let round = 0; round < 10; round += 1) {
          for (const send of [
            () => sendDeepJson(origin, 100_000, login),
            () => sendManyKeys(origin, 25_000, login),
            () => sendLongText(origin, 200_000, login),
          ])
            statuses.push(await orCut(send()))
          await wait(500)
        }
        return statusesOf(statuses)
      }
    },
    atMostMs: MINUTE_MS,
  },
  'slow-pictures': {
    what: 'four accounts: progressive JPEGs of 2,000 scans and 24 megapixels as profile pictures',
    env: proxied,
    async prepare(origin) {
      const people = await peopleOf(origin, 4)
      const picture = slowJpeg({ width: 6_000, height: 4_000, scans: 2_000 })
      return async () => statusesOf(await Promise.all(people.map((person) => orCut(sendPicture(person, picture)))))
    },
    atMostMs: 5 * MINUTE_MS,
  },
  'slow-frames': {
    what: 'four accounts: progressive JPEGs of 2,500 scans and 4 megapixels as camera frames',
    env: proxied,
    async prepare(origin) {
      const people = await peopleOf(origin, 4)
      const picture = slowJpeg({ width: 2_000, height: 2_000, scans: 2_500 })
      return async () => statusesOf(await Promise.all(people.map((person) => orCut(sendFrame(person, picture)))))
    },
    atMostMs: 5 * MINUTE_MS,
  },
  'pictures-below-the-limit': {
    what: 'four accounts: JPEGs of 99 scans and 24 megapixels, five each, one after the other',
    env: proxied,
    async prepare(origin) {
      const people = await peopleOf(origin, 4)
      const picture = slowJpeg({ width: 6_000, height: 4_000, scans: 99 })
      return async () => {
        const answers: Answered[] = []
        await Promise.all(
          people.map(async (person) => {
            for (let sent = 0; sent < 5; sent += 1) answers.push(await orCut(sendPicture(person, picture)))
          }),
        )
        return statusesOf(answers)
      }
    },
    atMostMs: 5 * MINUTE_MS,
  },
  'unfinished-uploads': {
    what: '150 pictures of 4.9 MB of one account, each without its last byte',
    async prepare(origin) {
      const { cookie } = await loginAt(origin)
      const upload: UnfinishedUpload = { endpoint: 'addProfile', bytes: 4_900_000, cookie }
      return () => holdFor(origin, Array<UnfinishedUpload>(150).fill(upload), 15_000)
    },
    atMostMs: 2 * MINUTE_MS,
  },
  'anonymous-uploads': {
    what: '900 log batches of 500 KB from as many addresses, each without its last byte',
    env: proxied,
    prepare: async (origin) => () => {
      const upload = (index: number): UnfinishedUpload => ({
        endpoint: 'addLogs',
        bytes: 500_000,
        address: `10.44.${index >> 8}.${index & 255}`,
      })
      return holdFor(
        origin,
        Array.from({ length: 900 }, (_, index) => upload(index)),
        15_000,
      )
    },
    atMostMs: 2 * MINUTE_MS,
  },
  'held-sockets': {
    what: '40 refused sockets of each kind that this side never closes, 10 s',
    prepare: async (origin) => async () => {
      const kinds = Object.keys(refusedRequests) as RefusedRequest[]
      const statuses = await Promise.all(
        kinds.map((kind) =>
          holdRefusedSockets(origin, kind, 40, async (answered) => {
            await wait(10_000)
            return answered
          }),
        ),
      )
      return countsOf(statuses.flat().map((status) => status ?? 'no response'))
    },
    atMostMs: 2 * MINUTE_MS,
  },
  'provider-faults': {
    what: 'one sign-in a second that the provider refuses with 503, 15 s',
    brokenProvider: true,
    prepare: async (origin) => async () => {
      const statuses: number[] = []
      for (let sent = 0; sent < 15; sent += 1) {
        statuses.push(...(await provokeProviderFaults(origin, 1)))
        await wait(1_000)
      }
      return countsOf(statuses)
    },
    atMostMs: MINUTE_MS,
  },
  'metrics-through-proxy': {
    what: '/metrics requested as ten kinds of proxies forward it',
    prepare: async (origin) => async () => countsOf(Object.values(await readMetricsThroughProxies(origin))),
    atMostMs: MINUTE_MS,
  },
}
