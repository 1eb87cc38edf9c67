import { type ReadonlySignal, signal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS, ONLINE_USERS_FALLBACK } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { BlockStatus } from '#protocol/fields.ts'
import type { BlockCase, CaseNotice } from '#protocol/moderation.ts'
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
  const blockCase = signal<BlockCase | null>(null)
  const notice = signal<CaseNotice | null>(null)
  const appealing = signal(false)
  const appealed = signal(false)
  const onlineUsers = signal(ONLINE_USERS_FALLBACK)
  let stopPolling = () => {}
  /** Aborted when the dashboard is left: what was still loading changes nothing any more. */
  let visit = new AbortController()

  /** Session and IP details are each sent once a session; the IP post is silent about its failures. */
  async function sendDetails(): Promise<void> {
    const userSessionId = session.userSessionId.peek()
    if (!session.flags.peek().loggedUserSession) {
      await api.request('addSession', { UserSessionId: userSessionId, EmailAddress: account.email.peek() })
      session.mark('loggedUserSession')
    }
    if (session.flags.peek().loggedIpDetails) return
    session.mark('loggedIpDetails')
    // Nothing on the screen tells of them: a lookup that is slow holds nobody.
    sendIp(userSessionId).catch((thrown: unknown) => log.error('IP details were not sent', thrown))
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

  async function checkSession(signal: AbortSignal): Promise<void> {
    const [access, refresh] = await Promise.all([
      api.request('readAccessToken', undefined, signal),
      api.request('readRefreshToken', undefined, signal),
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

  async function countOnline(signal: AbortSignal): Promise<void> {
    const answer = await api.request('readOnlineUsers', undefined, signal)
    if (signal.aborted) return
    onlineUsers.value = typeof answer.onlineUsers === 'number' ? answer.onlineUsers : ONLINE_USERS_FALLBACK
  }

  /** One at a time: without a network each of them waits for it. */
  function pollOnline(signal: AbortSignal): () => void {
    let busy = false
    return clock.every(FRAME_INTERVAL_MS, () => {
      if (busy) return
      busy = true
      countOnline(signal)
        .catch((thrown: unknown) => {
          if (!signal.aborted) log.error('The online count was not read', thrown)
        })
        .finally(() => {
          busy = false
        })
    })
  }

  async function readStatus(signal: AbortSignal): Promise<void> {
    const answer = await api.request('readBlockStatus', {}, signal)
    if (signal.aborted) return
    status.value = answer.status
    blockCase.value = answer.case ?? null
    notice.value = answer.notice ?? null
  }

  return {
    /** True once everything that the dashboard shows is there. */
    loaded: loaded as ReadonlySignal<boolean>,
    status: status as ReadonlySignal<BlockStatus | null>,
    /** Why the status is what it is; null where the server does not say. */
    blockCase: blockCase as ReadonlySignal<BlockCase | null>,
    /** How a time of being kept out ended, on the first visit after it. */
    notice: notice as ReadonlySignal<CaseNotice | null>,
    onlineUsers: onlineUsers as ReadonlySignal<number>,
    appealing: appealing as ReadonlySignal<boolean>,
    /** True after an appeal of this visit was taken: the confirmation is shown. */
    appealed: appealed as ReadonlySignal<boolean>,

    /** Loads all of it and then keeps the online count fresh until `leave`. A failure puts the error popup up. */
    async enter(): Promise<void> {
      visit.abort()
      visit = new AbortController()
      const { signal } = visit
      stopPolling()
      try {
        await checkSession(signal)
        await Promise.all([sendDetails(), readStatus(signal), countOnline(signal)])
        if (signal.aborted) return
        loaded.value = true
        session.mark('dashboardPageLoaded')
        stopPolling = pollOnline(signal)
      } catch (thrown) {
        if (!signal.aborted) notices.fail(thrown, 'dashboard')
      }
    },

    leave(): void {
      visit.abort()
      stopPolling()
      stopPolling = () => {}
      loaded.value = false
    },

    /** The notice is on the screen: the server need not say it again. */
    noticeSeen(): void {
      api
        .request('seeCaseNotice', { UserEmailAddress: account.email.peek() })
        .catch((thrown: unknown) => log.error('The notice was not marked as seen', thrown))
    },

    async appeal(): Promise<void> {
      if (appealing.peek()) return
      appealing.value = true
      try {
        const answer = await api.request('appeal', { UserEmailAddress: account.email.peek() })
        status.value = answer.status
        blockCase.value = answer.case ?? null
        appealed.value = true
      } catch (thrown) {
        notices.fail(thrown, 'appeal')
      } finally {
        appealing.value = false
      }
    },
  }
}
