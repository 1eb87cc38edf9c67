import type { AccountStore } from '../account/state/account.ts'
import type { Navigation } from '../platform/navigation.ts'
import type { VisitStore } from '../platform/state/visit.ts'

type Ports = {
  account: Pick<AccountStore, 'email' | 'loginEnded'>
  visit: Pick<VisitStore, 'userSessionId'>
  navigation: Pick<Navigation, 'go'>
  onLogoutElsewhere: (listener: (sessionId: string) => void) => void
}

/**
 * Shows the sign-in page after a logout in another tab. Subscribes once, when the page has its first user: a page
 * without a user has nothing to follow, and without a subscription it can stay in the back/forward cache.
 */
export function followLogouts({ account, visit, navigation, onLogoutElsewhere }: Ports): void {
  const stopWaiting = account.email.subscribe((email) => {
    if (email === '') return
    stopWaiting()
    onLogoutElsewhere((sessionId) => {
      if (sessionId !== visit.userSessionId.peek()) return
      account.loginEnded()
      navigation.go('/')
    })
  })
}
