import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import { mayChat } from '#protocol/block-status.ts'
import { AppError } from '#protocol/errors.ts'
import type { BlockState } from '#protocol/start.ts'
import type { Account } from '../../account/use-account.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import { createRetries } from '../../platform/state/retries.ts'
import type { ToastStore } from '../../platform/state/toasts.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import { createBlockStatus } from './block-status.ts'
import { createOnlineCount } from './online-count.ts'
import { createVisitDetails } from './visit-details.ts'

/** `unknown`: the status is being read. `unread`: reading failed, and is repeated. `barred`: the user may not chat. */
export type Standing = 'unknown' | 'unread' | 'barred' | 'open'

export type LobbyStore = ReturnType<typeof createLobbyStore>

/** Data of the dashboard: block status and number of online users. Each fails and is read again independently. */
export function createLobbyStore(
  ports: {
    api: Api
    clock: Clock
    log: Log
    /** Runs a task when the page has nothing else to do. */
    whenIdle: (task: () => void) => void
  },
  visit: VisitStore,
  account: Account['account'],
  toasts: ToastStore,
) {
  const { api } = ports
  const loaded = signal(false)
  const online = createOnlineCount(ports)
  const {
    read: readStatus,
    show: showStatus,
    expect: expectStatus,
    forget: forgetBlock,
    ...block
  } = createBlockStatus(ports, account, toasts)
  const { send: sendDetails } = createVisitDetails(api, visit, account)
  const details = createRetries(ports, 'The details of the visit were not sent', sendDetails)
  const reading = createRetries(ports, 'The block status was not read', async (signal) => {
    if (!(await isComplete(signal))) return
    await readStatus(signal)
    if (!signal.aborted) arrived()
  })
  /** False after the user has left the dashboard, so that late responses change nothing. */
  let isEntered = false

  function arrived(): void {
    loaded.value = true
    visit.mark('dashboardPageLoaded')
  }

  async function isComplete(signal: AbortSignal): Promise<boolean> {
    const [access, refresh] = await Promise.all([
      api.request('readAccessToken', undefined, signal),
      api.request('readRefreshToken', undefined, signal),
    ])
    return isKnown([access.cookieValue, refresh.cookieValue])
  }

  /** Opens the error popup if a value of the session is missing, since no further request would provide it. */
  function isKnown(tokens: string[]): boolean {
    const values = [visit.userSessionId.peek(), account.email.peek(), account.nickName.peek(), ...tokens]
    if (!values.includes('')) return true
    toasts.fail(new AppError('session-incomplete'), 'dashboard')
    return false
  }

  /** Shows the data of the start. Returns false if the dashboard must request it. */
  function showFirst(): boolean {
    const first = account.takeFirst('lobby')
    if (!first) return false
    // The start has just set the tokens, so they need no check.
    if (!isKnown([])) return true
    showStatus(first.block)
    online.show(first)
    arrived()
    ports.whenIdle(() => {
      if (isEntered) void details.start()
    })
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
    /** True while the status is being read. */
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

    /** Gets the status from the server or the start. Sends the visit's details. Resolves after the first attempt. */
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
