import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import { mayChat } from '#protocol/block-status.ts'
import { AppError } from '#protocol/errors.ts'
import type { BlockState } from '#protocol/start.ts'
import { lookUpIp, personOf } from '../../account/rules/login-session.ts'
import type { Account } from '../../account/use-account.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import { createRetries } from '../../platform/state/retries.ts'
import type { ToastStore } from '../../platform/state/toasts.ts'
import type { Flags, VisitStore } from '../../platform/state/visit.ts'
import { createBlockStatus } from './block-status.ts'
import { createOnlineCount } from './online-count.ts'

/** `unknown`: the status is being read. `unread`: reading failed, and is repeated. `barred`: the user may not chat. */
export type Standing = 'unknown' | 'unread' | 'barred' | 'open'

export type LobbyStore = ReturnType<typeof createLobbyStore>

type Ports = {
  api: Api
  clock: Clock
  log: Log
  /** Runs a task when the page has nothing else to do. */
  whenIdle: (task: () => void) => void
}

/** Data of the dashboard: the block status and the number of online users. Each part can fail alone, and is then read again alone. */
export function createLobbyStore(ports: Ports, visit: VisitStore, account: Account['account'], toasts: ToastStore) {
  const loaded = signal(false)
  const online = createOnlineCount(ports)
  const {
    read: readStatus,
    show: showStatus,
    expect: expectStatus,
    forget: forgetBlock,
    ...block
  } = createBlockStatus(ports, account, toasts)
  const session = createSessionCheck(ports.api, visit, account, toasts)
  const { send: sendDetails } = createVisitDetails(ports.api, visit, account)
  const details = createRetries(ports, 'The details of the visit were not sent', sendDetails)
  const reading = createRetries(ports, 'The block status was not read', async (signal) => {
    if (!(await session.isComplete(signal))) return
    await readStatus(signal)
    if (!signal.aborted) arrived()
  })
  /** False after the user has left the dashboard, so that late responses change nothing. */
  let isEntered = false

  function arrived(): void {
    loaded.value = true
    visit.mark('dashboardPageLoaded')
  }

  /** Shows the data of the start. Returns false if the dashboard must request it. */
  function showFirst(): boolean {
    const first = account.takeFirst('lobby')
    if (!first) return false
    // The start has just set the tokens.
    if (!session.isKnown()) return true
    showStatus(first.block)
    online.show(first)
    arrived()
    ports.whenIdle(() => isEntered && void details.start())
    return true
  }

  function leave(): void {
    isEntered = false
    reading.stop()
    details.stop()
    loaded.value = false
  }

  return {
    ...block,
    /** True when the status is loaded and the dashboard is shown. */
    loaded: loaded as ReadonlySignal<boolean>,
    standing: computed((): Standing => {
      const status = block.status.value
      if (loaded.value && status !== null) return mayChat(status) ? 'open' : 'barred'
      return reading.failed.value ? 'unread' : 'unknown'
    }),
    reading: reading.busy,
    /** After a failure, reads the status again at once. */
    readAgain: reading.again,
    onlineUsers: online.count,
    talkingUsers: online.talking,
    onlineKnown: online.isKnown,
    onlineUnread: online.unread,
    watchOnline: online.watch,
    tellOnline: online.tell,

    /** Returns a function that shows a later block status, unless the status has changed in this page meanwhile. */
    expectBlock(): (state: BlockState) => void {
      const show = expectStatus()
      return (state) => {
        show(state)
        if (!isEntered || loaded.peek()) return
        reading.stop()
        arrived()
      }
    },

    /** Reads the status, or takes it from the answer of the start, and sends the details of the visit. Resolves after the first attempt. */
    async enter(): Promise<void> {
      isEntered = true
      if (showFirst()) return
      void details.start()
      await reading.start()
    },

    leave,

    /** Clears the data when the user's login is over. */
    forget(): void {
      leave()
      forgetBlock()
    },
  }
}

/** Both functions open the error popup if a value of the login session is missing: nothing that is read again would bring it. */
function createSessionCheck(api: Api, visit: VisitStore, account: Account['account'], toasts: ToastStore) {
  function isKnown(tokens: string[] = []): boolean {
    const values = [visit.userSessionId.peek(), account.email.peek(), account.nickName.peek(), ...tokens]
    if (!values.includes('')) return true
    toasts.fail(new AppError('session-incomplete'), 'dashboard')
    return false
  }

  return {
    isKnown: () => isKnown(),
    /** Asks the server for the tokens too. */
    async isComplete(signal: AbortSignal): Promise<boolean> {
      const [access, refresh] = await Promise.all([
        api.request('readAccessToken', undefined, signal),
        api.request('readRefreshToken', undefined, signal),
      ])
      return isKnown([access.cookieValue, refresh.cookieValue])
    },
  }
}

/** Sends the user session and the IP details, each once per visit. */
function createVisitDetails(api: Api, visit: VisitStore, account: Account['account']) {
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
    // After a logout the request would be sent without a login, or with the login of the next user.
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
