import { lazy, use } from 'react'
import type { ConsolePart } from '../console/screens/console.tsx'
import type { App } from './create-app.ts'

const ConsolePage = lazy(async () => ({
  default: (await import('../console/screens/console-page.tsx')).ConsolePage,
}))

/** The moderators' console, with its own login session, store and texts. */
export function ConsoleScreen({ app, part = null }: { app: App; part?: ConsolePart | null }) {
  return <ConsolePage store={use(app.consoleStore.load())} part={part} />
}
