import type { EndReason } from '../rules/call-state.ts'
import type { CallStores } from '../use-call.ts'
import type { CallPorts, EffectHandlers } from './effect-handlers.ts'

type ScreenEffectType = 'notify-peer-left' | 'notify-connection-lost' | 'go' | 'leave'

/** Reasons that are explained to the user in a notice. */
const explained = ['hub-unavailable', 'replaced', 'camera-refused', 'relay-unavailable'] as const

function explanationOf(reason: EndReason): `toasts.${(typeof explained)[number]}` | null {
  const known = explained.find((each) => each === reason)
  return known ? `toasts.${known}` : null
}

/** Shows toasts, and leads from screen to screen. */
export function createScreenEffects(
  { navigation }: Pick<CallPorts, 'navigation'>,
  { toasts, visit, texts }: CallStores,
): EffectHandlers<ScreenEffectType> {
  const named = (nickName: string) => nickName || texts.t('toasts.unnamed-peer')

  function go(to: 'buzzing' | 'chat' | 'dashboard'): void {
    visit.mark('navigationToVideoCallPage', to === 'chat')
    navigation.go(`/${to}`)
  }

  return {
    'notify-peer-left': ({ nickName }) => toasts.show('toasts.peer-left', { nickName: named(nickName) }),
    'notify-connection-lost': ({ nickName }) => toasts.show('toasts.connection-lost', { nickName: named(nickName) }),
    go: ({ to }) => go(to),
    leave({ reason }) {
      const text = explanationOf(reason)
      if (text) toasts.show(text)
      visit.mark('dashboardPageCanBeLoadedFromSplashScreen')
      go('dashboard')
    },
  }
}
