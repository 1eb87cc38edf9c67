import { type ReadonlySignal, signal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS, ONLINE_USERS_FALLBACK } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { BlockStatus } from '#protocol/fields.ts'
import type { Api, Clock, Log } from '../domain/ports.ts'
import { lookUpIp } from '../domain/start-up.ts'
import type { AccountStore } from './account.ts'
import type { NoticeStore } from './notices.ts'
import type { SessionStore } from './session.ts'

export type LobbyStore = ReturnType<typeof createLobbyStore>

/** What the dashboard shows: the block status and how many people are online. */
export function createLobbyStore(
  ports: { api: Api; clock: Clock; log: Log },
  session: SessionStore,
  account: AccountStore,
  notices: NoticeStore,
) {
  const { api, clock, log } = ports
  const loaded = signal(false)
  const status = signal<BlockStatus | null>(null)
  const appealing = signal(false)
  const appealed = signal(false)
  const onlineUsers = signal(ONLINE_USERS_FALLBACK)
  let stopPolling = () => {}
  /** Counts entries, so that what was still loading when the dashboard was left changes nothing any more. */
  let entry = 0

  /** Session and IP details are each sent once a session; the IP post is silent about its failures. */
  async function sendDetails(): Promise<void> {
    const userSessionId = session.userSessionId.peek()
    if (!session.flags.peek().loggedUserSession) {
      await api.call('addSession', { UserSessionId: userSessionId, EmailAddress: account.email.peek() })
      session.mark('loggedUserSession')
    }
    if (session.flags.peek().loggedIpDetails) return
    session.mark('loggedIpDetails')
    const ip = await lookUpIp(api)
    api
      .call('addIp', {
        UserSessionId: userSessionId,
        IpAddress: ip.ip,
        HostName: ip.hostname,
        City: ip.city,
        Country: ip.country,
        Coordinates: ip.loc,
      })
      .catch((thrown: unknown) => log.error('IP details were not sent', thrown))
  }

  async function checkSession(): Promise<void> {
    const [access, refresh] = await Promise.all([
      api.call('readAccessToken', undefined),
      api.call('readRefreshToken', undefined),
    ])
    const values = [
      session.userSessionId.peek(),
      account.email.peek(),
      account.nickName.peek(),
      access.cookieValue,
      refresh.cookieValue,
    ]
    if (values.includes('')) throw new AppError('session-incomplete')
  }

  async function countOnline(): Promise<void> {
    const answer = await api.call('readOnlineUsers', undefined)
    onlineUsers.value = typeof answer.onlineUsers === 'number' ? answer.onlineUsers : ONLINE_USERS_FALLBACK
  }

  async function readStatus(): Promise<void> {
    const answer = await api.call('readBlockStatus', { userEmailAddress: account.email.peek() })
    status.value = answer.status
  }

  return {
    /** True once everything that the dashboard shows is there. */
    loaded: loaded as ReadonlySignal<boolean>,
    status: status as ReadonlySignal<BlockStatus | null>,
    onlineUsers: onlineUsers as ReadonlySignal<number>,
    appealing: appealing as ReadonlySignal<boolean>,
    /** True after an appeal of this visit was taken: the confirmation is shown. */
    appealed: appealed as ReadonlySignal<boolean>,

    /** Loads all of it and then keeps the online count fresh until `leave`. A failure puts the error popup up. */
    async enter(): Promise<void> {
      entry += 1
      const current = entry
      stopPolling()
      try {
        await checkSession()
        await Promise.all([sendDetails(), readStatus(), countOnline()])
        if (current !== entry) return
        loaded.value = true
        session.mark('dashboardPageLoaded')
        stopPolling = clock.every(FRAME_INTERVAL_MS, () => {
          countOnline().catch((thrown: unknown) => log.error('The online count was not read', thrown))
        })
      } catch (thrown) {
        if (current === entry) notices.fail(thrown, 'dashboard')
      }
    },

    leave(): void {
      entry += 1
      stopPolling()
      stopPolling = () => {}
      loaded.value = false
    },

    async appeal(): Promise<void> {
      if (appealing.peek()) return
      appealing.value = true
      try {
        const answer = await api.call('appeal', { UserEmailAddress: account.email.peek() })
        status.value = answer.status
        appealed.value = true
      } catch (thrown) {
        notices.fail(thrown, 'appeal')
      } finally {
        appealing.value = false
      }
    },
  }
}
