import { lazy, use } from 'react'
import type { App } from './create-app.ts'

const ModerationPage = lazy(async () => ({
  default: (await import('../pages/moderation/moderation-page.tsx')).ModerationPage,
}))

/** The moderators' console, which has a login, a store and words of its own. */
export function Moderation({ app }: { app: App }) {
  return <ModerationPage store={use(app.moderationStore())} />
}
