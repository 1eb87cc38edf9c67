import { type AppError, toAppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { PageConfig } from '#protocol/page-config.ts'
import type { Api, IdentityProvider } from '../domain/ports.ts'
import { createAccountStore } from '../stores/account.ts'
import { createCallStore } from '../stores/call.ts'
import { createChatStore } from '../stores/chat.ts'
import { createDeviceStore } from '../stores/devices.ts'
import { createHubStore } from '../stores/hub.ts'
import { createLobbyStore } from '../stores/lobby.ts'
import { createNoticeStore } from '../stores/notices.ts'
import { createSessionStore } from '../stores/session.ts'
import type { Stores } from '../stores/stores.ts'
import { createCamera } from '../transport/camera.ts'
import { createDeviceInfo } from '../transport/device-info.ts'
import { createChatCodec, createFrameCapture } from '../transport/media.ts'
import { createApi, createLog, createPictureFetch } from '../transport/network.ts'
import { onPageWake } from '../transport/page-wakes.ts'
import { createStorage } from '../transport/storage.ts'
import { createWorkers } from '../transport/workers.ts'
import { browserClock } from './browser-clock.ts'
import type { CallEffects } from './call-effects.ts'
import { createNavigation } from './navigation.ts'
import { pages } from './pages.ts'

/** Builds the product once: workers, transports, stores, and what ties their lifetimes to the screens. */
export function createApp(config: PageConfig) {
  const clock = browserClock
  const navigation = createNavigation()
  const workers = createWorkers()
  const log = createLog(workers)
  const api = watchLogin(createApi(workers), signedOut)

  const session = createSessionStore()
  const notices = createNoticeStore(clock, log)
  const account = createAccountStore(
    {
      api,
      log,
      storage: createStorage(),
      providers: { Google: providerOf('Google', config), Facebook: providerOf('Facebook', config) },
      deviceInfo: createDeviceInfo(workers),
      identify: (userSessionId, clockOffsetMs) => log.identify({ userSessionId, clockOffsetMs }),
      fetchPicture: createPictureFetch(workers),
      now: clock.now,
    },
    session,
    notices,
  )
  const lobby = createLobbyStore({ api, clock, log }, session, account, notices)
  const devices = createDeviceStore({ camera: createCamera(), frames: createFrameCapture(workers), clock, log })
  const call = createCallStore((effect, dispatch) => {
    withEffects((effects) => effects.run(effect, dispatch))
  }, config)
  const chat = createChatStore({
    codec: createChatCodec(workers),
    deliver: async (encoded, id) => (await loadEffects()).deliver(encoded, id),
    newId: () => crypto.randomUUID(),
    log,
  })
  const stores: Stores = { config, session, account, lobby, devices, hub: createHubStore(), call, chat, notices }

  let effects: CallEffects | null = null
  let loading: Promise<CallEffects> | null = null

  /** SignalR and the peer connection are no part of what the first screen needs. */
  function loadEffects(): Promise<CallEffects> {
    loading ??= importEffects().catch((thrown: unknown) => {
      loading = null
      throw thrown
    })
    return loading
  }

  async function importEffects(): Promise<CallEffects> {
    const [{ createCallEffects }, { createHubClient }, { createPeerConnections }] = await Promise.all([
      import('./call-effects.ts'),
      import('../transport/hub-client.ts'),
      import('../transport/peer-connection.ts'),
    ])
    const hub = createHubClient({ base: config.hubBase, log, clock, onWake: onPageWake })
    effects = createCallEffects({ api, clock, log, hub, peers: createPeerConnections(), navigation }, stores)
    return effects
  }

  /** Runs at once where the effects are loaded, so that the order of events is kept. */
  function withEffects(task: (effects: CallEffects) => void): void {
    if (effects) task(effects)
    else loadEffects().then(task, (thrown: unknown) => notices.fail(thrown, 'loading the call'))
  }

  function signedOut(error: AppError): void {
    log.error('Access token not found or could not be renewed.', error)
    session.mark('splashScreenPageLoaded')
    navigation.go('/login')
  }

  return {
    stores,
    navigation,
    /** Starts and stops what belongs to a screen; called with the path at every change of it. */
    entered(path: string): void {
      const matchingOrCall = path.startsWith('/chat') || path.startsWith('/buzzing')
      if (!matchingOrCall) {
        call.dispatch({ type: 'left' })
        if (effects) effects.stop().catch((thrown: unknown) => log.error('The hub did not stop', thrown))
        if (path !== '/dashboard') devices.close()
      }
      if (path === '/dashboard') warmUp()
    },
  }

  function warmUp(): void {
    for (const load of [loadEffects, pages.matching, pages.call]) {
      load().catch((thrown: unknown) => log.error('The call could not be loaded ahead of need', thrown))
    }
  }
}

/** A refresh that failed ends the visit wherever it is noticed. */
function watchLogin(api: Api, signedOut: (error: AppError) => void): Api {
  return {
    async call(name, input) {
      try {
        return await api.call(name, input)
      } catch (thrown) {
        const error = toAppError(thrown)
        if (error.code === 'refresh-failed') signedOut(error)
        throw error
      }
    },
  }
}

/** Each provider's code loads when its button is used. */
function providerOf(source: Provider, { providers }: PageConfig): (() => Promise<IdentityProvider>) | null {
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
