import { lookUpIp, personOf } from '../../account/rules/login-session.ts'
import type { Account } from '../../account/use-account.ts'
import type { Api } from '../../platform/ports.ts'
import type { Flags, VisitStore } from '../../platform/state/visit.ts'

/** Sends the user session and the IP details, each once per visit. */
export function createVisitDetails(api: Api, visit: VisitStore, account: Account['account']) {
  let sending: { person: string; sent: Promise<void> } | null = null

  const person = () => personOf(visit.userSessionId.peek(), account.email.peek())

  async function sendOnce(flag: keyof Flags, send: (userSessionId: string) => Promise<unknown>): Promise<void> {
    if (visit.flags.peek()[flag]) return
    const sender = person()
    await send(visit.userSessionId.peek())
    // After a logout the flags belong to another visit.
    if (person() === sender) visit.mark(flag)
  }

  async function sendIp(userSessionId: string): Promise<void> {
    const sender = person()
    const ip = await lookUpIp(api)
    // After a logout the request would have no login, or that of the next user.
    if (person() !== sender) return
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
    const sender = person()
    await sendOnce('loggedUserSession', (id) =>
      api.request('addSession', { UserSessionId: id, EmailAddress: account.email.peek() }),
    )
    if (person() === sender) await sendOnce('loggedIpDetails', sendIp)
  }

  return {
    /** Sends what has not been sent yet. Calls during a send share its promise, unless they are for another user. */
    send(): Promise<void> {
      if (sending?.person === person()) return sending.sent
      const own = {
        person: person(),
        sent: sendAll().finally(() => {
          if (sending === own) sending = null
        }),
      }
      sending = own
      return own.sent
    },
  }
}
