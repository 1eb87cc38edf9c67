import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { API_BASE, IDEMPOTENCY_KEY, REQUESTED_WITH } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import type { TestUser } from '../support/fleet/many-servers.ts'
import { jpegOf } from '../support/pictures/jpegs.ts'

const BOUNDARY = 'cost'
const EVERY_MS = 20

/** A user who sends every request to one server, as behind a balancer that keeps a browser at its server. */
export type Sender = { user: TestUser; url: string; cookie: string }

/** Uses few connections, as a balancer does. */
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

export async function senderOf(user: TestUser, url: string): Promise<Sender> {
  const others = `session=${user.sessionId}.${'s'.repeat(43)}; profile=1; refresh=${'r'.repeat(43)}`
  return { user, url, cookie: `${others}; access=${await user.accessToken()}` }
}

type Sent = { method: string; path: string; origin: string; again?: string; type?: string; body?: Buffer | string }

function send({ url, cookie }: Sender, { method, path, origin, again, type, body }: Sent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      cookie,
      origin,
      [REQUESTED_WITH.name]: REQUESTED_WITH.value,
      ...(again === 'keyed' && { [IDEMPOTENCY_KEY]: randomUUID() }),
      ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    }
    const sent = request(`${url}${API_BASE}/${path}`, { method, agent, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        // A user who sends a picture a moment too early is refused for it, as any browser is.
        if (response.statusCode === 200 || response.statusCode === 429) resolve()
        else reject(new Error(`${path}: ${response.statusCode}`))
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A camera picture of a dashboard: about 25 KB, as browsers send them. */
export async function pictureRequests(origin: string): Promise<(sender: Sender) => Promise<void>> {
  const jpeg = await jpegOf({ width: 640, height: 360 }, 30)
  const { method, path, again } = endpoints.addVideoFrame
  return (sender) => {
    const field = (name: string, value: string) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const { name } = endpoints.addVideoFrame.form.file
    const head = `${field('EmailAddress', `${sender.user.name}@example.org`)}${field('UserSessionId', sender.user.sessionId)}--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="frame.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), jpeg, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
    return send(sender, { method, path, origin, again, type: `multipart/form-data; boundary=${BOUNDARY}`, body })
  }
}

/** A small request with a login, in place of those of a call. */
export const loginRequests = (origin: string) => (sender: Sender) =>
  send(sender, { ...endpoints.validateAccessToken, origin })

/**
 * Lets each person do the task once in `periodMs`, one after the other and evenly spread, from now on. The returned function stops it and
 * rejects if a task failed.
 */
export function steadily<T>(
  people: readonly T[],
  periodMs: number,
  task: (person: T) => Promise<void>,
): () => Promise<void> {
  const startedAt = performance.now()
  const running = new Set<Promise<void>>()
  let failure: unknown = null
  let done = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * people.length) / periodMs
    for (; done < due; done += 1) {
      const person = people[done % people.length]
      if (person === undefined) return
      const one: Promise<void> = task(person)
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => running.delete(one))
      running.add(one)
    }
  }, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await Promise.all(running)
    if (failure) throw failure
  }
}
