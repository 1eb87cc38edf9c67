import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { BlockStatus } from '#protocol/block-status.ts'
import type { AppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { Language } from '#protocol/languages.ts'
import type { PageConfig } from '#protocol/page-config.ts'
import { span } from '#workers/trace.ts'
import type { Api, Clock, IdentityProvider, Storage } from '../domain/ports.ts'
import { keepCookieChoice } from '../parts/cookie-choice.ts'
import { createAccountStore, type IdentityProviders } from '../stores/account.ts'
import { createDeletionStatusStore } from '../stores/deletion-status.ts'
import { createNoticeStore } from '../stores/notices.ts'
import { personOf } from '../stores/person.ts'
import { createPictureChoice } from '../stores/picture-choice.ts'
import type { VisitorStores } from '../stores/stores.ts'
import { createTextStore } from '../stores/texts.ts'
import { createTransparencyStore } from '../stores/transparency.ts'
import { createVisitStore } from '../stores/visit.ts'
import { loadTexts } from '../texts/catalogue.ts'
import { wantsLessData } from '../transport/data-saving.ts'
import { createDeviceInfo } from '../transport/device-info.ts'
import { rememberLanguage } from '../transport/language.ts'
import { whenIdle } from '../transport/later-tasks.ts'
import { onLogoutElsewhere } from '../transport/logout-elsewhere.ts'
import { createApi, createLog, createPictureFetch, type WorkerLog } from '../transport/network.ts'
import { createPendingLogout } from '../transport/pending-logout.ts'
import { createStorage } from '../transport/storage.ts'
import { createWorkers, type Workers } from '../transport/workers.ts'
import { browserClock } from './browser-clock.ts'
import type { Member } from './create-member.ts'
import { followLogouts } from './follow-logouts.ts'
import { loadOnce } from './load-once.ts'
import { watchLogin } from './login-watch.ts'
import { createNavigation, type Navigation } from './navigation.ts'
import { onOtherUser } from './on-other-user.ts'
import { createPages, type Pages, textsOf } from './pages.ts'

/** Ports that the modules loaded later receive. */
export type AppPorts = {
  api: Api
  providers: IdentityProviders
  clock: Clock
  log: WorkerLog
  navigation: Navigation
  storage: Storage<Blob>
  workers: Workers
  pages: Pages
  /** Called when the user can start a call. */
  canAct: () => void
}

/** Screens on which the user cannot act at once: the splash screen, and the dashboard before the camera is open. */
const WAITING: readonly string[] = ['', '/', '/dashboard']

/** Creates workers, transports and stores once a page, and starts and stops them with the screens. */
export function createApp(config: PageConfig, language: Language) {
  const clock = browserClock
  const navigation = createNavigation()
  const storage = createStorage(clock)
  const workers = createWorkers()
  const log = createLog(workers, null)
  const login = watchLogin(createApi(workers), { person: () => personOf(visit, account), signedOut })
  const { api } = login
  const providers = { Google: providerOf('Google', config), Facebook: providerOf('Facebook', config) }

  const texts = createTextStore({ language, load: loadTexts, remember: rememberLanguage, log })
  const pages = createPages(texts.need)
  const visit = createVisitStore()
  const notices = createNoticeStore(clock, log)
  const account = createAccountStore(
    {
      api,
      log,
      storage,
      providers,
      deviceInfo: createDeviceInfo(workers),
      identify: (userSessionId, clockOffsetMs) => log.identify({ userSessionId, clockOffsetMs }),
      fetchPicture: createPictureFetch(workers),
      keepCookieChoice,
      loadSignIn: pages.signIn.load,
      whenIdle,
      clock,
      pendingLogout: createPendingLogout(),
    },
    visit,
    notices,
  )
  followLogouts({ account, visit, navigation, onLogoutElsewhere })
  const pictureChoice = createPictureChoice({ storage, log, wantsLessData })
  const deletionStatus = createDeletionStatusStore(api, log)
  const transparency = createTransparencyStore(api, log)
  const stores: VisitorStores = { config, visit, account, notices, texts, pictureChoice, deletionStatus, transparency }

  const path = signal('')
  const canAct = signal(false)
  let enteredAt = performance.now()
  let member: Member | null = null

  const consoleStore = loadOnce(async () => {
    const { createConsole } = await import('./create-console.ts')
    return createConsole(log)
  })

  const reportContent = loadOnce(async () => {
    const [{ ReportContentPage }, { createContentNoticeStore }] = await Promise.all([
      import('../pages/report-content/report-content-page.tsx'),
      import('../stores/content-notice.ts'),
      texts.need(...textsOf.reportContent),
    ])
    const store = createContentNoticeStore({
      api,
      log,
      newKey: () => crypto.randomUUID(),
      // Loaded only during a flood.
      solve: async (...how) => (await import('../transport/notice-proof.ts')).solveNoticeChallenge(...how),
    })
    onOtherUser(account.email, store.forget)
    return { Page: ReportContentPage, store }
  })

  const serviceStatus = loadOnce(async () => {
    const [{ ServiceStatusPage }, { createServiceStatusStore }, { pageAttention }] = await Promise.all([
      import('../pages/service-status/service-status-page.tsx'),
      import('../stores/service-status.ts'),
      import('../transport/page-wakes.ts'),
      texts.need(...textsOf.serviceStatus),
    ])
    return { Page: ServiceStatusPage, store: createServiceStatusStore({ api, log, clock, page: pageAttention }) }
  })

  const memberStores = loadOnce(async () => {
    const [{ createMember }] = await Promise.all([import('./create-member.ts'), texts.need('notices')])
    const ports = { api, providers, clock, log, navigation, storage, workers, pages, canAct: allowActing }
    member = createMember(ports, stores)
    member.entered(path.peek())
    return member.stores
  })

  function allowActing(): void {
    canAct.value = true
  }

  function signedOut(to: string, error: AppError): void {
    log.error('Access token not found or could not be renewed.', error)
    account.loginEnded()
    navigation.go(to)
  }

  return {
    stores,
    pages,
    navigation,
    /** The stores of a signed-in user. */
    memberStores,
    /** The form for people without an account, with a store that keeps what was typed while another page is open. */
    reportContent,
    /** The page that says what works, with its store. */
    serviceStatus,
    consoleStore,
    /** Path of the open screen; empty before the first. */
    path: path as ReadonlySignal<string>,
    /** True once the user can act; what can wait starts after that. */
    canAct: canAct as ReadonlySignal<boolean>,
    /** Turns optional features on or off with cookie consent; the client log is the only one. */
    allowOptional: (on: boolean) => log.switchTo(on ? config.logs : []),
    /** Called when the page is hidden; it may be unloaded or frozen without a further event. */
    hidden: () => log.flush(),
    /** A screen could not be loaded or rendered. Whatever goes on in it ends before the error is shown. */
    broken(thrown: unknown): void {
      member?.broken()
      notices.fail(thrown, 'screen')
    },
    blockStatus: (): BlockStatus | null => member?.stores.lobby.status.peek() ?? null,
    /** Starts and stops the parts of a screen; called with the path at every change of screen. */
    entered(next: string): void {
      if (path.peek() !== '') span('Routes', path.peek(), enteredAt)
      enteredAt = performance.now()
      path.value = next
      log.trace(`Screen /${next.split('/')[1] ?? ''}`)
      if (!WAITING.includes(next)) allowActing()
      login.entered(next)
      member?.entered(next)
    },
  }
}

export type App = ReturnType<typeof createApp>

/** Returns a function that loads the provider's code, or null if the provider is not configured. */
function providerOf(source: Provider, { providers }: PageConfig): (() => Promise<IdentityProvider<Window>>) | null {
  const { google, facebook, development } = providers
  if (development) {
    return async () => (await import('../transport/development-identity.ts')).createDevelopmentIdentity(source)
  }
  if (source === 'Google' && google) {
    return async () => (await import('../transport/google-identity.ts')).createGoogleIdentity(google.clientId)
  }
  if (source === 'Facebook' && facebook) {
    return async () => (await import('../transport/facebook-identity.ts')).createFacebookIdentity(facebook.appId)
  }
  return null
}
