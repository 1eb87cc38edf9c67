import { type ReadonlySignal, signal } from '@preact/signals-react'
import { FRAME_INTERVAL_MS, ONLINE_USERS_FALLBACK } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { BlockStatus } from '#protocol/fields.ts'
import type { BlockCase, CaseNotice } from '#protocol/moderation.ts'
import type { Api, Clock, Log } from '../domain/ports.ts'
import { lookUpIp } from '../domain/start-up.ts'
import type { AccountStore } from './account.ts'
import type { NoticeStore } from './notices.ts'
import type { VisitStore } from './visit.ts'

export type LobbyStore = ReturnType<typeof createLobbyStore>

/** Data of the dashboard: the block status and the number of online users. */
export function createLobbyStore(
  ports: { api: Api; clock: Clock; log: Log },
  visit: VisitStore,
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
  /** Aborted when the user leaves the dashboard, so that late responses change nothing. */
  let loading = new AbortController()

  /** Sends the user session and the IP details, each once a visit. A failure of the IP details is only logged. */
  async function sendDetails(): Promise<void> {
    const userSessionId = visit.userSessionId.peek()
    if (!visit.flags.peek().loggedUserSession) {
      await api.request('addSession', { UserSessionId: userSessionId, EmailAddress: account.email.peek() })
      visit.mark('loggedUserSession')
    }
    if (visit.flags.peek().loggedIpDetails) return
    visit.mark('loggedIpDetails')
    // Not awaited: the screen does not depend on them, and the lookup may be slow.
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
      visit.userSessionId.peek(),
      account.email.peek(),
      account.nickName.peek(),
      access.cookieValue,
      refresh.cookieValue,
    ]
    if (values.includes('')) throw new AppError('session-incomplete')
  }

  async function countOnline(signal: AbortSignal): Promise<void> {
    const response = await api.request('readOnlineUsers', undefined, signal)
    if (signal.aborted) return
    onlineUsers.value = typeof response.onlineUsers === 'number' ? response.onlineUsers : ONLINE_USERS_FALLBACK
  }

  /** One request at a time, because offline each of them waits for the network. */
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
    const response = await api.request('readBlockStatus', {}, signal)
    if (signal.aborted) return
    status.value = response.status
    blockCase.value = response.case ?? null
    notice.value = response.notice ?? null
  }

  return {
    /** True when all data of the dashboard is loaded. */
    loaded: loaded as ReadonlySignal<boolean>,
    status: status as ReadonlySignal<BlockStatus | null>,
    /** Why the user has this status; null if the server sends no case. */
    blockCase: blockCase as ReadonlySignal<BlockCase | null>,
    /** How the last restriction ended, on the first visit after it. */
    notice: notice as ReadonlySignal<CaseNotice | null>,
    onlineUsers: onlineUsers as ReadonlySignal<number>,
    appealing: appealing as ReadonlySignal<boolean>,
    /** True after an appeal of this visit was accepted, to show the confirmation. */
    appealed: appealed as ReadonlySignal<boolean>,

    /** Loads the data and then polls the online count until `leave`. A failure opens the error popup. */
    async enter(): Promise<void> {
      loading.abort()
      loading = new AbortController()
      const { signal } = loading
      stopPolling()
      try {
        await checkSession(signal)
        await Promise.all([sendDetails(), readStatus(signal), countOnline(signal)])
        if (signal.aborted) return
        loaded.value = true
        visit.mark('dashboardPageLoaded')
        stopPolling = pollOnline(signal)
      } catch (thrown) {
        if (!signal.aborted) notices.fail(thrown, 'dashboard')
      }
    },

    leave(): void {
      loading.abort()
      stopPolling()
      stopPolling = () => {}
      loaded.value = false
    },

    /** Marks the notice as seen on the server. */
    noticeSeen(): void {
      api
        .request('seeCaseNotice', { UserEmailAddress: account.email.peek() })
        .catch((thrown: unknown) => log.error('The notice was not marked as seen', thrown))
    },

    async appeal(): Promise<void> {
      if (appealing.peek()) return
      appealing.value = true
      try {
        const response = await api.request('appeal', { UserEmailAddress: account.email.peek() })
        status.value = response.status
        blockCase.value = response.case ?? null
        appealed.value = true
      } catch (thrown) {
        notices.fail(thrown, 'appeal')
      } finally {
        appealing.value = false
      }
    },
  }
}
