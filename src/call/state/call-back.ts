import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Log } from '../../platform/log.ts'
import type { PageState } from '../../platform/ports.ts'
import type { Notifier } from '../ports.ts'
import type { CallState } from '../rules/call-state.ts'

export type CallBackStore = ReturnType<typeof createCallBackStore>

/** `unavailable`: this browser has no notifications. `blocked`: the user has denied notifications for this site. */
type CallBackChoice = 'unavailable' | 'off' | 'on' | 'blocked'

type Ports = {
  notifier: Notifier
  page: Pick<PageState, 'hidden' | 'onVisibility'>
  log: Log
  phase: ReadonlySignal<CallState['phase']>
  /** Texts of the notification. They contain no name: it may be seen on a locked screen. */
  texts: () => { title: string; body: string }
}

/**
 * Calls the user back to a hidden tab when a match is found: always by the title of the page, and by a notification if
 * the user has asked for it. Ends when the user is back, or with the match.
 */
export function createCallBackStore({ notifier, page, log, phase, texts }: Ports) {
  const choice = signal<CallBackChoice>(notifier.permission() === null ? 'unavailable' : 'off')
  const isCalling = signal(false)
  let isMatched = false
  let closeNotification = () => {}

  function begin(): void {
    isCalling.value = true
    if (choice.peek() !== 'on') return
    try {
      closeNotification = notifier.show(texts())
    } catch (thrown) {
      log.error('A notification could not be shown', thrown)
    }
  }

  function end(): void {
    isCalling.value = false
    closeNotification()
    closeNotification = () => {}
  }

  phase.subscribe((current) => {
    const wasMatched = isMatched
    isMatched = current === 'connecting' || current === 'in-call'
    if (!isMatched) end()
    else if (!wasMatched && page.hidden()) begin()
  })
  page.onVisibility(() => {
    if (!page.hidden()) end()
  })

  return {
    choice: choice as ReadonlySignal<CallBackChoice>,
    /** True from a match that was found while the page was hidden until the user is back or the match ends. */
    isCalling: isCalling as ReadonlySignal<boolean>,

    /** Switches the notification off when the login of the user is over. */
    forget(): void {
      if (choice.peek() === 'on') choice.value = 'off'
    },

    /** Switches the notification on or off. Only here the browser asks for its permission. */
    async press(): Promise<void> {
      if (choice.peek() === 'on') {
        choice.value = 'off'
        return
      }
      try {
        const permission = notifier.permission() === 'default' ? await notifier.ask() : notifier.permission()
        if (permission === 'granted') choice.value = 'on'
        else if (permission === 'denied') choice.value = 'blocked'
      } catch (thrown) {
        log.error('The permission for notifications could not be asked for', thrown)
        choice.value = 'blocked'
      }
    },
  }
}
