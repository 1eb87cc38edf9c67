import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { BlockStatus } from '#protocol/block-status.ts'
import type { AppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { Language } from '#protocol/languages.ts'
import type { PageConfig } from '#protocol/page-config.ts'
import { span } from '#workers/trace.ts'
import { createDeviceInfo } from '../account/io/device-info.ts'
import { createPendingLogout, onLogoutElsewhere } from '../account/io/pending-logout.ts'
import type { IdentityProviders } from '../account/ports.ts'
import { personOf } from '../account/rules/login-session.ts'
import { isConfigured } from '../account/rules/providers.ts'
import { createAccountStore } from '../account/state/account.ts'
import { browserClock } from '../platform/io/browser-clock.ts'
import { wantsLessData } from '../platform/io/data-saving.ts'
import { whenIdle } from '../platform/io/later-tasks.ts'
import { createApi, createLog, type WorkerLog } from '../platform/io/network.ts'
import { createStorage } from '../platform/io/storage.ts'
import { createWorkers } from '../platform/io/workers.ts'
import { loadOnce } from '../platform/load-once.ts'
import { createNavigation } from '../platform/navigation.ts'
import { keepCookieChoice } from '../platform/state/cookie-choice.ts'
import { createPictureChoice } from '../platform/state/picture-choice.ts'
import { createToastStore, type ToastStore } from '../platform/state/toasts.ts'
import { createVisitStore, type VisitStore } from '../platform/state/visit.ts'
import { loadTexts } from '../platform/texts/catalogue.ts'
import { rememberLanguage } from '../platform/texts/language.ts'
import { createTextStore } from '../platform/texts/texts.ts'
import type { Member } from './create-member.ts'
import { followLogouts, watchLogin } from './login-watch.ts'
import { createPages, createStorePages } from './pages.ts'
import type { AppPorts, VisitorStores } from './stores.ts'

/** Screens on which the user cannot act at once: the splash screen, and the dashboard before the camera is open. */
const WAITING: readonly string[] = ['', '/', '/dashboard']

/** Called once a page. Creates workers, transports and stores, and starts and stops them with the screens. */
export function createApp(config: PageConfig, language: Language) {
  const clock = browserClock
  const navigation = createNavigation()
  const storage = createStorage(clock)
  const workers = createWorkers()
  const log = createLog(workers, null)
  const login = watchLogin(createApi(workers), {
    person: () => personOf(visit.userSessionId.peek(), account.email.peek()),
    signedOut,
  })
  const { api } = login
  const providers = { Google: providerOf('Google', config), Facebook: providerOf('Facebook', config) }

  const texts = createTextStore({ language, load: loadTexts, remember: rememberLanguage, log })
  const pages = createPages(texts.need)
  const visit = createVisitStore()
  const toasts = createToastStore(clock, log)
  const account = createAccount({ api, log, storage, providers, workers, pages }, visit, toasts)
  followLogouts({ account, visit, navigation, onLogoutElsewhere })
  const pictureChoice = createPictureChoice({ storage, log, wantsLessData })
  const stores: VisitorStores = { config, visit, account, toasts, texts, pictureChoice }

  const screen = followScreens(log)
  let member: Member | null = null

  const consoleStore = loadOnce(async () => {
    const { createConsole } = await import('./create-console.ts')
    return createConsole(log)
  })

  const memberParts = loadOnce(async () => {
    const [{ createMember }] = await Promise.all([import('./create-member.ts'), texts.need('toasts')])
    const ports = { api, providers, clock, log, navigation, storage, workers, pages, canAct: screen.allowActing }
    member = createMember(ports, stores)
    member.entered(screen.path.peek())
    return member
  })

  function signedOut(to: string, error: AppError): void {
    log.error('Access token not found or could not be renewed.', error)
    account.loginEnded()
    navigation.go(to)
  }

  return {
    stores,
    pages,
    navigation,
    /** The stores of a signed-in user, and the provider that passes them to screens. */
    member: memberParts,
    storePages: createStorePages({ need: texts.need, api, log, clock, email: account.email }),
    consoleStore,
    /** Path of the open screen; empty before the first. */
    path: screen.path,
    /** True once the user can act. Loads that can wait begin after that. */
    canAct: screen.canAct,
    /** Turns the client log, the only optional feature, on or off with cookie consent. */
    allowOptional: (on: boolean) => log.switchTo(on ? config.logs : []),
    /** Called when the page is hidden; it may be unloaded or frozen without a further event. */
    hidden: () => log.flush(),
    /** Called when a screen could not be loaded or rendered. A call in it ends before the error is shown. */
    broken(thrown: unknown): void {
      member?.broken()
      toasts.fail(thrown, 'screen')
    },
    blockStatus: (): BlockStatus | null => member?.stores.lobby.status.peek() ?? null,
    /** Starts and stops the parts of a screen; called with the path at every change of screen. */
    entered(next: string): void {
      screen.entered(next)
      login.entered(next)
      member?.entered(next)
    },
  }
}

export type App = ReturnType<typeof createApp>

type AccountPorts = Pick<AppPorts, 'api' | 'log' | 'storage' | 'providers' | 'workers' | 'pages'>

function createAccount({ workers, pages, ...ports }: AccountPorts, visit: VisitStore, toasts: ToastStore) {
  const accountPorts = {
    ...ports,
    deviceInfo: createDeviceInfo(workers),
    identify: (userSessionId: string, clockOffsetMs: number) => ports.log.identify({ userSessionId, clockOffsetMs }),
    fetchPicture: (url: string) => workers.network().fetchPicture(url),
    keepCookieChoice,
    loadSignIn: pages.signIn.load,
    whenIdle,
    clock: browserClock,
    pendingLogout: createPendingLogout(),
  }
  return createAccountStore(accountPorts, visit, toasts)
}

/** The open screen, and whether the user can act. */
function followScreens(log: WorkerLog) {
  const path = signal('')
  const canAct = signal(false)
  let enteredAt = performance.now()

  function allowActing(): void {
    canAct.value = true
  }

  return {
    path: path as ReadonlySignal<string>,
    canAct: canAct as ReadonlySignal<boolean>,
    allowActing,
    entered(next: string): void {
      if (path.peek() !== '') span('Routes', path.peek(), enteredAt)
      enteredAt = performance.now()
      path.value = next
      log.trace(`Screen /${next.split('/')[1] ?? ''}`)
      if (!WAITING.includes(next)) allowActing()
    },
  }
}

/** Returns a function that loads the provider's code; null for a provider that is not configured. */
function providerOf(source: Provider, config: PageConfig): IdentityProviders<Window>[Provider] {
  if (!isConfigured(source, config)) return null
  return async () =>
    (await import('../account/io/identity-providers.ts')).createIdentityProvider(source, config.providers)
}
