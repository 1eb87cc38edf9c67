import { once } from 'node:events'
import { Agent, request } from 'node:http'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import { hubTokenOf } from '../../support/attacks/hub-tokens.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { jpegOf } from '../../support/pictures/jpegs.ts'
import { type SignedInVisitor, signIn } from '../../support/servers/server.ts'

/** Users who have nothing to do with the attack, and the time that their requests and messages take. */

const EVERY_MS = 100
/** What has not come this long after the attack has failed. */
const LAST_MS = 15_000
/** Another address than the attacker's, so that no limit of an address counts both together. */
const ADDRESS = '127.0.0.2'

export type Waits = { p50: number; p95: number; longest: number; asked: number; failed: number }

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/** Starts a task ten times a second, however long the earlier ones take. What failed counts with the time that it took. */
function repeat(task: (index: number) => Promise<boolean>): { end(): Promise<Waits> } {
  const times: number[] = []
  const pending = new Set<number>()
  const running: Promise<void>[] = []
  let failed = 0
  let asked = 0
  const timer = setInterval(() => {
    const index = asked
    asked += 1
    const start = performance.now()
    pending.add(start)
    const settled = task(index)
      .catch(() => false)
      .then((kept) => {
        if (!pending.delete(start)) return
        times.push(performance.now() - start)
        if (!kept) failed += 1
      })
    running.push(settled)
  }, EVERY_MS)
  return {
    async end() {
      clearInterval(timer)
      let giveUp: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        giveUp = setTimeout(resolve, LAST_MS)
      })
      await Promise.race([Promise.all(running), late])
      clearTimeout(giveUp)
      for (const start of pending) {
        times.push(performance.now() - start)
        failed += 1
      }
      pending.clear()
      times.sort((a, b) => a - b)
      return { p50: at(times, 0.5), p95: at(times, 0.95), longest: times.at(-1) ?? 0, asked, failed }
    },
  }
}

/** Resolves with true for status 200. Opens a connection of its own without an agent. */
function isOk(url: string, options: { agent: Agent | false; cookie?: string }): Promise<boolean> {
  const { agent, cookie } = options
  return new Promise((resolve) => {
    const headers = cookie === undefined ? {} : { cookie }
    const sent = request(url, { agent, localAddress: ADDRESS, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200))
      response.on('error', () => resolve(false))
    })
    sent.on('error', () => resolve(false))
    sent.end()
  })
}

async function onHub(origin: string, visitor: SignedInVisitor): Promise<RawClient> {
  const token = await hubTokenOf(visitor)
  const address = `${origin.replace('http://localhost', 'ws://127.0.0.1')}/chathub?access_token=${token}`
  const client = new RawClient(new WebSocket(address, { localAddress: ADDRESS }), visitor.email)
  await once(client.socket, 'open')
  client.send({ protocol: 'json', version: 1 })
  const [id] = await client.event('OnUserConnected')
  client.id = v.parse(v.string(), id)
  return client
}

const KEEP_ALIVE_MS = 5_000
const chatSchema = v.tuple([v.string(), v.string(), v.string()])

/** Two people in a match; the first talks to the second. */
async function chatOf(origin: string, people: readonly [SignedInVisitor, SignedInVisitor]) {
  const [one, other] = [await onHub(origin, people[0]), await onHub(origin, people[1])]
  await one.join()
  await other.join()
  const { session, role } = await one.matched()
  await other.matched()
  await (role === 'Caller' ? one : other).invoke('UpdateWebRtcConnectionSuccessStatus', session)
  const waiting = new Map<string, (kept: boolean) => void>()
  let seen = 0
  other.socket.on('message', () => {
    const messages = other.events('OnChatMessage')
    for (const message of messages.slice(seen)) {
      const [, , id] = v.parse(chatSchema, message)
      waiting.get(id)?.(true)
      waiting.delete(id)
    }
    seen = messages.length
  })
  const lost = () => {
    for (const settle of waiting.values()) settle(false)
    waiting.clear()
  }
  for (const { socket } of [one, other]) socket.once('close', lost)
  const keepAlive = setInterval(() => {
    for (const { socket } of [one, other]) if (socket.readyState === socket.OPEN) socket.send('{"type":6}\u001e')
  }, KEEP_ALIVE_MS)
  return {
    send(index: number): Promise<boolean> {
      if (one.socket.readyState !== WebSocket.OPEN) return Promise.resolve(false)
      return new Promise((resolve) => {
        const id = `message-${index}`
        waiting.set(id, resolve)
        one.send({ type: 1, target: 'SendChatMessageToPeer', arguments: [session, other.id, 'Good evening', id] })
      })
    },
    end() {
      clearInterval(keepAlive)
      for (const { socket } of [one, other]) socket.terminate()
    },
  }
}

/** What reads pictures is started with the first of them, and is no part of what an attack costs. */
async function sendPictures(person: SignedInVisitor): Promise<void> {
  const file = { blob: new Blob([new Uint8Array(await jpegOf({ width: 640, height: 480 }))]), fileName: 'picture.jpg' }
  const { email, sessionId, nickName } = person
  const fields = { EmailAddress: email, NickName: nickName, Gender: 'girl', DOB: '1990-12-10' } as const
  await Promise.all([
    person.request('addVideoFrame', { EmailAddress: email, UserSessionId: sessionId, file }),
    person.request('addProfile', { ...fields, ConsentAgreed: 'true', file }),
  ])
}

export type BystanderWaits = { health: Waits; api: Waits; chat: Waits }

type SignIn = (origin: string, email: string) => Promise<SignedInVisitor>
const developmentSignIn: SignIn = (origin, email) => signIn({ origin }, { email })

/** People of this server. `watch` begins to measure; its result ends that and returns the measurements. */
export async function bystandersOf(origin: string, enter: SignIn = developmentSignIn) {
  const local = origin.replace('localhost', '127.0.0.1')
  const agent = new Agent({ keepAlive: true })
  // The limit of one account is below ten requests a second.
  const readers: { url: string; cookie: string }[] = []
  const talkers: SignedInVisitor[] = []
  for (let index = 0; index < 5; index += 1) {
    const person = await enter(origin, `bystander${index}@example.org`)
    const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ')
    const url = `${local}/api/users/block/get?userEmailAddress=${encodeURIComponent(person.email)}`
    if (index < 3) readers.push({ url, cookie })
    else talkers.push(person)
  }
  const [one, other] = talkers
  if (!one || !other) throw new Error('There is no peer to talk to')
  const chat = await chatOf(origin, [one, other])
  await sendPictures(one)
  return {
    watch() {
      const health = repeat(() => isOk(`${local}/healthz`, { agent: false }))
      const api = repeat((index) => {
        const { url, cookie } = readers[index % readers.length] ?? { url: local, cookie: '' }
        return isOk(url, { agent, cookie })
      })
      const talk = repeat((index) => chat.send(index))
      return {
        async end(): Promise<BystanderWaits> {
          const [healthWaits, apiWaits, chatWaits] = await Promise.all([health.end(), api.end(), talk.end()])
          return { health: healthWaits, api: apiWaits, chat: chatWaits }
        },
      }
    },
    end() {
      chat.end()
      agent.destroy()
    },
  }
}
