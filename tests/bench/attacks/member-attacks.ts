import { MINUTE_MS } from '#protocol/durations.ts'
import { harvestAddresses } from '../../support/attacks/address-harvest.ts'
import { guessFromManyNetworks, guessFromOneNetwork } from '../../support/attacks/console-guessing.ts'
import type { HubAccess } from '../../support/attacks/hub-access.ts'
import { type FloodKind, floodHub } from '../../support/attacks/hub-flood.ts'
import { hubTokenOf } from '../../support/attacks/hub-tokens.ts'
import { overfillPeer } from '../../support/attacks/oversized-signalling.ts'
import { guessSignIns, readOthersData } from '../../support/attacks/quiet-attacker.ts'
import { reattachAgain } from '../../support/attacks/reattach-flood.ts'
import { reportBrigade } from '../../support/attacks/report-brigade.ts'
import { copyOf } from '../../support/attacks/stolen-login.ts'
import type { SignedInVisitor } from '../../support/servers/server.ts'
import { type Attack, type Attacks, countsOf, peopleOf, proxied, tokensOf } from './attack.ts'

const MB = 1024 * 1024
const accessOf = (origin: string, token: string): HubAccess => ({
  url: `${origin.replace('localhost', '127.0.0.1')}/chathub`,
  token,
})

async function accessesOf(origin: string, count: number): Promise<HubAccess[]> {
  return (await tokensOf(await peopleOf(origin, count))).map((token) => accessOf(origin, token))
}

/** Four sockets of as many accounts send one kind of message as fast as they are read. */
function floodOf(kind: FloodKind): Attack {
  return {
    what: `four accounts send ${kind} as fast as they are read, 15 s`,
    env: proxied,
    async prepare(origin) {
      const accesses = await accessesOf(origin, 4)
      return async () => {
        const stop = AbortSignal.timeout(15_000)
        const written = await Promise.all(accesses.map((access) => floodHub(access, kind, 1_000 * MB, { stop })))
        return countsOf(written.map((all) => (all ? 'all was read' : 'slowed down or cut off')))
      }
    },
    atMostMs: MINUTE_MS,
  }
}

/** Attacks by signed-in users. */
export const memberAttacks: Attacks = {
  'hub-pings': floodOf('pings'),
  'hub-large-messages': floodOf('large messages'),
  'hub-socket-pings': floodOf('WebSocket pings'),
  'oversized-candidates': {
    what: '100 candidates of 30 KB to a peer that acknowledges nothing',
    env: proxied,
    async prepare(origin) {
      const [one, other] = await accessesOf(origin, 2)
      return async () => {
        if (!one || !other) return {}
        const { taken, refused, victim } = await overfillPeer(one, other, 'candidates', 100, 30_000)
        return { taken, ...refused, [`the match is ${victim}`]: 1 }
      }
    },
    atMostMs: MINUTE_MS,
  },
  'reattach-flood': {
    what: '2,000 re-attachments of one connection',
    async prepare(origin) {
      const [access] = await accessesOf(origin, 1)
      return async () => (access ? reattachAgain(access, 2_000) : {})
    },
    atMostMs: MINUTE_MS,
  },
  'address-harvest': {
    what: 'one account meets 60 people for 20 s and leaves each at once',
    env: proxied,
    async prepare(origin) {
      const [eve, ...people] = await accessesOf(origin, 61)
      return async () => {
        if (!eve) return {}
        const { met, addresses } = await harvestAddresses(eve, people, { stop: AbortSignal.timeout(20_000) })
        return { met, addresses }
      }
    },
    atMostMs: MINUTE_MS,
  },
  'report-brigade': {
    what: 'four fresh accounts meet and report ten people',
    env: { ADDRESS_REQUESTS_PER_MINUTE: '100000' },
    prepare: async (origin) => async () => {
      const { statuses, stop } = await reportBrigade({ origin, reporters: 4, victims: 10, media: true })
      const counts = countsOf(await statuses())
      await stop()
      return counts
    },
    atMostMs: 3 * MINUTE_MS,
  },
  'console-guessing': {
    what: '120 attempts in one /64 network, and 300 for one name from as many networks',
    env: proxied,
    prepare: async (origin) => async () => {
      const looked = await guessFromOneNetwork(origin, 120)
      const statuses = await guessFromManyNetworks(origin, 'root', 300)
      return { 'looked at from one network': looked, ...countsOf(statuses) }
    },
    atMostMs: 3 * MINUTE_MS,
  },
  'stolen-tokens': {
    what: 'a thief uses a refresh token 500 times after the owner has',
    async prepare(origin) {
      const [person] = await peopleOf(origin, 1)
      return async () => (person ? reuseAgain(origin, person) : {})
    },
    atMostMs: MINUTE_MS,
  },
  'relay-credentials': {
    what: 'one account requests relay credentials 500 times',
    async prepare(origin) {
      const [person] = await peopleOf(origin, 1)
      return async () => {
        const statuses: number[] = []
        for (let sent = 0; sent < 500; sent += 1) {
          const response = await person?.send('readTurn', undefined)
          await response?.arrayBuffer()
          statuses.push(response?.status ?? 0)
        }
        return countsOf(statuses)
      }
    },
    atMostMs: MINUTE_MS,
  },
  'quiet-attacker': {
    what: '250 guessed sign-ins and 250 questions about another person',
    env: proxied,
    async prepare(origin) {
      const [thief] = await peopleOf(origin, 1)
      return async () => {
        const guesses = await guessSignIns({ origin }, 250)
        const questions = thief ? await readOthersData(thief, 'victim@example.org', 250) : {}
        return countsOf([
          ...Object.entries(guesses).flatMap(([status, count]) => Array<string>(count).fill(`sign-in ${status}`)),
          ...Object.entries(questions).flatMap(([status, count]) => Array<string>(count).fill(`question ${status}`)),
        ])
      }
    },
    atMostMs: MINUTE_MS,
  },
}

async function reuseAgain(origin: string, person: SignedInVisitor) {
  const stolen = copyOf(origin, person)
  await hubTokenOf(person)
  await person.request('refreshAccessToken', undefined)
  const statuses: number[] = []
  for (let attempts = 0; attempts < 500; attempts += 1) {
    const response = await copyOf(origin, stolen).send('refreshAccessToken', undefined)
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return countsOf(statuses)
}
