import { Agent, request } from 'node:http'
import { inLanes, OutcomeCounter, type Outcomes } from './outcomes.ts'

type Options = { lanes: number; times: number; cookieName: string }

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Requests without a body whose query or cookies are as large and as malformed as the parser accepts. */
export function bombsOf(cookieName: string): { path: string; cookie?: string }[] {
  const users = '/api/users/block/get'
  return [
    { path: `${users}?${'a&'.repeat(1_900)}` },
    { path: `${users}?${'userEmailAddress=a&'.repeat(200)}` },
    { path: `${users}?${'a[b]'.repeat(900)}=c` },
    { path: `${users}?userEmailAddress=${'%25'.repeat(1_300)}` },
    { path: `${users}?__proto__[admin]=1&constructor[prototype][admin]=1` },
    { path: `${users}?userEmailAddress=${encodeURIComponent(nested(300))}` },
    { path: '/api/cookie/user-profile/get', cookie: 'a=b;'.repeat(3_500) },
    { path: '/api/cookie/user-profile/get', cookie: `${cookieName}=${nested(7_000)}` },
    { path: '/api/cookie/user-profile/get', cookie: `${cookieName}=${'%25'.repeat(4_500)}` },
    { path: '/api/cookie/user-profile/get', cookie: `${cookieName}=${'#'.repeat(14_000)}` },
    { path: '/api/start/get', cookie: `access=${'a.'.repeat(7_000)}` },
    { path: `/chathub?${'access_token=a&'.repeat(250)}` },
  ]
}

/** Sends the requests of `bombsOf` repeatedly, `times` in all. Counts the statuses. */
export async function sendBombs(origin: string, { lanes, times, cookieName }: Options): Promise<Outcomes> {
  const counter = new OutcomeCounter()
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  const bombs = bombsOf(cookieName)
  await inLanes(lanes, { times }, async (index) => {
    const { path, cookie } = bombs[index % bombs.length] ?? { path: '/' }
    const status = await new Promise<string | number>((resolve) => {
      const headers = cookie === undefined ? {} : { cookie }
      const sent = request(`${origin}${path}`, { agent, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 'no status'))
        response.on('error', () => resolve('cut off'))
      })
      sent.on('error', () => resolve('no answer'))
      sent.end()
    })
    counter.add(status)
  })
  agent.destroy()
  return counter.counts
}
