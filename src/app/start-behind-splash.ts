import type { AccountStore } from '../account/state/account.ts'
import type { FirstScreen } from '../account/state/start-up.ts'
import type { Clock } from '../platform/clock.ts'
import type { App } from './create-app.ts'

type Preloaded = { load(): Promise<unknown> }
type StartedApp = Pick<App, 'entered'> & {
  stores: { account: Pick<AccountStore, 'start' | 'startAhead'> }
  pages: { signIn: Preloaded; dashboard: Preloaded }
  member: Preloaded
}

/** Time after which the splash screen is rendered, which explains a longer wait. */
const UNRENDERED_MAX_MS = 1_000

/**
 * Runs the start-up flow without React: the page already contains the splash screen, and rendering it would delay the next screen. `likely`
 * is the screen that the server expects; its code is loaded meanwhile. Resolves with the first screen, ready to be rendered. Resolves with
 * null if the start-up has failed or takes longer, so that the splash screen takes it over.
 */
export async function startBehindSplash(
  app: StartedApp,
  clock: Pick<Clock, 'after'>,
  likely: string | undefined,
): Promise<FirstScreen | null> {
  const { account } = app.stores
  app.entered('/')
  const started = account.startAhead()
  if (likely === 'login' || likely === 'dashboard') void load(app, likely)
  let stopWaiting = () => {}
  const waited = new Promise<null>((resolve) => {
    stopWaiting = clock.after(UNRENDERED_MAX_MS, () => resolve(null))
  })
  const screen = await Promise.race([started, waited])
  stopWaiting()
  if (!screen) return null
  await account.start()
  await load(app, screen)
  return screen
}

/** Loads the code of the screen. Never rejects: the screen itself loads missing parts again, and shows the failure. */
async function load(app: StartedApp, screen: FirstScreen): Promise<void> {
  const parts = screen === 'login' ? [app.pages.signIn.load()] : [app.pages.dashboard.load(), app.member.load()]
  await Promise.allSettled(parts)
}
