import { lazy, use } from 'react'
import type { App } from './create-app.ts'

const ConsolePage = lazy(async () => ({
  default: (await import('../pages/console/console-page.tsx')).ConsolePage,
}))

/** The moderators' console, with its own login session, store and texts. */
export function ConsoleScreen({ app }: { app: App }) {
  return <ConsolePage store={use(app.consoleStore.load())} />
}
