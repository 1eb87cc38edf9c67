import type { Log } from '../../platform/log.ts'
import type { Notifier } from '../ports.ts'

/** With one tag, a later notification replaces the earlier one. */
const TAG = 'match'
const ICON = '/icons/192.png'

type Close = () => void

export function createNotifier(log: Pick<Log, 'error'>): Notifier {
  return {
    permission: () => ('Notification' in window ? Notification.permission : null),
    ask: () => Notification.requestPermission(),
    show({ title, body }) {
      const options = { body, tag: TAG, icon: ICON }
      try {
        return showByPage(title, options)
      } catch (thrown) {
        // Browsers of phones let only a service worker show notifications. The service worker also brings the tab to the front.
        if (thrown instanceof TypeError) return showByWorker(title, options, log)
        throw thrown
      }
    },
  }
}

function showByPage(title: string, options: NotificationOptions): Close {
  const notification = new Notification(title, options)
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
  return () => notification.close()
}

function showByWorker(title: string, options: NotificationOptions, log: Pick<Log, 'error'>): Close {
  const failed = (thrown: unknown) => log.error('The service worker could not show a notification', thrown)
  async function show(): Promise<ServiceWorkerRegistration | undefined> {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.showNotification(title, options)
    return registration
  }
  async function close(): Promise<void> {
    const shown = (await (await showing)?.getNotifications({ tag: TAG })) ?? []
    for (const notification of shown) notification.close()
  }
  const showing = show().catch((thrown: unknown) => {
    failed(thrown)
    return undefined
  })
  return () => void close().catch(failed)
}
