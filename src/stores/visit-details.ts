import { lookUpIp } from '../domain/ip-lookup.ts'
import type { Api } from '../domain/ports.ts'
import type { AccountStore } from './account.ts'
import type { Flags, VisitStore } from './visit.ts'

/** Sends the user session and the IP details, each once a visit. */
export function createVisitDetails(api: Api, visit: VisitStore, account: AccountStore) {
  let sending: Promise<void> | null = null

  async function sendOnce(flag: keyof Flags, send: (userSessionId: string) => Promise<unknown>): Promise<void> {
    const userSessionId = visit.userSessionId.peek()
    if (visit.flags.peek()[flag]) return
    await send(userSessionId)
    // After a logout the flags are those of another visit.
    if (visit.userSessionId.peek() === userSessionId) visit.mark(flag)
  }

  async function sendIp(userSessionId: string): Promise<void> {
    const ip = await lookUpIp(api)
    await api.request('addIp', {
      UserSessionId: userSessionId,
      IpAddress: ip.ip,
      HostName: ip.hostname,
      City: ip.city,
      Country: ip.country,
      Coordinates: ip.loc,
    })
  }

  async function sendAll(): Promise<void> {
    await sendOnce('loggedUserSession', (id) =>
      api.request('addSession', { UserSessionId: id, EmailAddress: account.email.peek() }),
    )
    await sendOnce('loggedIpDetails', sendIp)
  }

  return {
    /** Sends what has not been sent. Calls meanwhile share one promise. */
    send(): Promise<void> {
      sending ??= sendAll().finally(() => {
        sending = null
      })
      return sending
    },
  }
}
