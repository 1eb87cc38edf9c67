import { mayChat } from '#protocol/block-status.ts'
import type { StartUp } from '../account/rules/start-up.ts'
import { createLoginCheck } from '../account/state/login-check.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Navigation } from '../platform/navigation.ts'
import type { Api } from '../platform/ports.ts'
import type { Stores } from './stores.ts'

type Ports = {
  api: Api
  clock: Clock
  log: Log
  navigation: Pick<Navigation, 'go'>
  /** True if the page is visible and the browser is not offline. */
  isAwake: () => boolean
}
type MemberStores = Pick<Stores, 'account' | 'visit' | 'lobby' | 'myData' | 'call'>

/** Screens on which the login is validated. */
const CHECKED = new Set(['/dashboard', '/buzzing', '/chat'])
/** Phases in which the user has a match, or reads a warning after it. */
const MATCHED = new Set(['connecting', 'in-call', 'reporting', 'warned'])

/** Validates the login on screens of a signed-in user, and handles the response as the start of a visit does. */
export function createMemberLogin({ api, clock, log, navigation, isAwake }: Ports, stores: MemberStores) {
  const { account, visit, lobby, myData, call } = stores

  function onRequest(): (start: StartUp) => void {
    const email = account.email.peek()
    const showBlock = lobby.expectBlock()
    const showDeletion = myData.expectDeletion()
    return (start) => {
      if (account.email.peek() !== email) return
      if (start.to === 'login') {
        log.info('The login is not valid any more')
        account.takeUp(start)
        navigation.go('/login')
        return
      }
      if (start.email !== email) {
        // Another user has signed in in another tab. The start of a new visit shows that user.
        navigation.go('/')
        return
      }
      account.takeUp(start)
      const { lobby: shown, deletion } = start.first
      if (shown) showBlock(shown.block)
      if (deletion) showDeletion(deletion)
      if (isBarred(start)) call.dispatch({ type: 'failed', reason: 'not-allowed' })
    }
  }

  const check = createLoginCheck({
    api,
    clock,
    log,
    onRequest,
    mayCheck: () => isAwake() && visit.userSessionId.peek() !== '' && !MATCHED.has(call.phase.peek()),
  })
  call.phase.subscribe(check.wake)

  return {
    /** Starts and stops the validation; called with the path at every change of screen. */
    entered(path: string): void {
      if (path === '/') check.validated()
      if (CHECKED.has(path)) check.start()
      else check.stop()
      check.wake()
    },
    /** Called when the page becomes visible or the network is back. */
    wake: check.wake,
  }
}

/** True if the server would refuse a search of this user. */
function isBarred(start: StartUp & { to: 'dashboard' }): boolean {
  const { lobby, deletion } = start.first
  return (lobby !== undefined && !mayChat(lobby.block.status)) || (deletion?.deletion ?? null) !== null
}
