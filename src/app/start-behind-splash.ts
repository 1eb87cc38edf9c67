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

/** Time after which the splash screen is rendered: a longer wait is explained there. */
const UNRENDERED_MAX_MS = 1_000

/**
 * Runs the start-up flow without React: rendering the splash screen, which the page has already, would delay the next screen. `likely`
 * is the screen that the server expects, whose code is run meanwhile. Resolves with the first screen, ready to be rendered; null if the
 * splash screen is to take over the start-up, which has failed or takes longer.
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

/** Never rejects: the screen loads what is missing again, and shows the failure. */
async function load(app: StartedApp, screen: FirstScreen): Promise<void> {
  const parts = screen === 'login' ? [app.pages.signIn.load()] : [app.pages.dashboard.load(), app.member.load()]
  await Promise.allSettled(parts)
}
