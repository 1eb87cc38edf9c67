import { type ReadonlySignal, signal } from '@preact/signals-react'
import { AppError } from '#protocol/errors.ts'
import { lookUpIp } from '../domain/ip-lookup.ts'
import type { Api, Clock, Log } from '../domain/ports.ts'
import type { AccountStore } from './account.ts'
import { createBlockStatus } from './block-status.ts'
import type { NoticeStore } from './notices.ts'
import { createOnlineCount } from './online-count.ts'
import type { VisitStore } from './visit.ts'

export type LobbyStore = ReturnType<typeof createLobbyStore>

/** Data of the dashboard: the block status and the number of online users. */
export function createLobbyStore(
  ports: {
    api: Api
    clock: Clock
    log: Log
    /** Runs a task when the page has nothing else to do. */
    whenIdle: (task: () => void) => void
  },
  visit: VisitStore,
  account: AccountStore,
  notices: NoticeStore,
) {
  const { api, log } = ports
  const loaded = signal(false)
  const online = createOnlineCount(ports)
  const {
    read: readStatus,
    show: showStatus,
    expect: expectBlock,
    ...block
  } = createBlockStatus(ports, account, notices)
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
    checkKnown([access.cookieValue, refresh.cookieValue])
  }

  function checkKnown(tokens: string[]): void {
    const values = [visit.userSessionId.peek(), account.email.peek(), account.nickName.peek(), ...tokens]
    if (values.includes('')) throw new AppError('session-incomplete')
  }

  /** Shows what the start of the visit has answered. Returns false if the dashboard has to ask. */
  function showFirst(signal: AbortSignal): boolean {
    const first = account.takeFirst('lobby')
    if (!first) return false
    // The tokens are there: the start has just set them.
    checkKnown([])
    showStatus(first.block)
    online.show(first.onlineUsers)
    ports.whenIdle(() => {
      sendDetails().catch((thrown: unknown) => {
        if (!signal.aborted) notices.fail(thrown, 'dashboard')
      })
    })
    return true
  }

  async function read(signal: AbortSignal): Promise<void> {
    await checkSession(signal)
    await Promise.all([sendDetails(), readStatus(signal), online.read(signal)])
  }

  return {
    ...block,
    /** True when all data of the dashboard is loaded. */
    loaded: loaded as ReadonlySignal<boolean>,
    onlineUsers: online.count,
    /** Returns a function that shows a later answer about the block status, unless that has changed here meanwhile. */
    expectBlock,

    /** Loads the data, or takes those of the start, and then polls the online count until `leave`. A failure opens the error popup. */
    async enter(): Promise<void> {
      loading.abort()
      loading = new AbortController()
      const { signal } = loading
      stopPolling()
      try {
        if (!showFirst(signal)) await read(signal)
        if (signal.aborted) return
        loaded.value = true
        visit.mark('dashboardPageLoaded')
        stopPolling = online.poll(signal)
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
  }
}
