import { lazy, use } from 'react'
import type { App } from './create-app.ts'

const ModerationPage = lazy(async () => ({
  default: (await import('../pages/console/console-page.tsx')).ModerationPage,
}))

/** The moderators' console, which has a login, a store and words of its own. */
export function Moderation({ app }: { app: App }) {
  return <ModerationPage store={use(app.moderationStore())} />
}
