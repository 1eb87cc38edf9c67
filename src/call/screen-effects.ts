import type { EndReason } from '../domain/call-state.ts'
import type { Stores } from '../stores/stores.ts'
import type { CallPorts, EffectHandlers } from './effect-handlers.ts'

type ScreenEffectType = 'notify-peer-left' | 'notify-connection-lost' | 'go' | 'leave'

/** Reasons that are explained to the user in a notice. */
const explained = ['hub-unavailable', 'replaced', 'camera-refused', 'relay-unavailable'] as const

function explanationOf(reason: EndReason): `notices.${(typeof explained)[number]}` | null {
  const known = explained.find((each) => each === reason)
  return known ? `notices.${known}` : null
}

/** Shows notices, and leads from screen to screen. */
export function createScreenEffects(
  { navigation }: Pick<CallPorts, 'navigation'>,
  { notices, visit, texts }: Stores,
): EffectHandlers<ScreenEffectType> {
  const named = (nickName: string) => nickName || texts.t('notices.unnamed-peer')

  function go(to: 'buzzing' | 'chat' | 'dashboard'): void {
    visit.mark('navigationToVideoCallPage', to === 'chat')
    navigation.go(`/${to}`)
  }

  return {
    'notify-peer-left': ({ nickName }) => notices.show('notices.peer-left', { nickName: named(nickName) }),
    'notify-connection-lost': ({ nickName }) => notices.show('notices.connection-lost', { nickName: named(nickName) }),
    go: ({ to }) => go(to),
    leave({ reason }) {
      const text = explanationOf(reason)
      if (text) notices.show(text)
      visit.mark('dashboardPageCanBeLoadedFromSplashScreen')
      go('dashboard')
    },
  }
}
