import { computed, effect } from '@preact/signals-react'
import { isTracing, span } from '#workers/trace.ts'
import { createPictureEditor } from '../account/io/picture-editor.ts'
import { ProfilePopup } from '../account/screens/profile-popup.tsx'
import { createLoginStore } from '../account/state/logins.ts'
import { createMyDataStore } from '../account/state/my-data.ts'
import { createProfileStore } from '../account/state/profile.ts'
import { createHubSites } from '../call/hub/hub-sites.ts'
import { createNotifier } from '../call/io/notifications.ts'
import type { CallRunner } from '../call/runner/call-runner.ts'
import { createAssetStore } from '../call/state/assets.ts'
import { createCallStore, movingPictures } from '../call/state/call.ts'
import { createCallBackStore } from '../call/state/call-back.ts'
import { createChatStore, createTypingStore } from '../call/state/chat.ts'
import { createDataUseStore } from '../call/state/data-use.ts'
import { createHubStore, createSearchStore } from '../call/state/hub.ts'
import { createLastPeerStore } from '../call/state/last-peer.ts'
import { createPeerAvatarStore } from '../call/state/peer-avatar.ts'
import { createQualityStore } from '../call/state/quality.ts'
import { createRelayOnlyStore } from '../call/state/relay-only.ts'
import { createPictureReader } from '../curtain/io/picture-reader.ts'
import { createCurtainStore } from '../curtain/state/curtain.ts'
import { createPictureStates } from '../curtain/state/picture-states.ts'
import { createCamera } from '../devices/io/camera.ts'
import { createFrameCapture } from '../devices/io/frame-capture.ts'
import { DeviceMenu } from '../devices/screens/device-menu.tsx'
import { createDeviceStore } from '../devices/state/devices.ts'
import { createSoundStore } from '../devices/state/sounds.ts'
import { createLobbyStore } from '../lobby/state/lobby.ts'
import { whenIdle } from '../platform/io/later-tasks.ts'
import { createDataExport, createPictureFetch } from '../platform/io/network.ts'
import { createPageState } from '../platform/io/page-state.ts'
import { isPageAwake, onPageWake } from '../platform/io/page-wakes.ts'
import { playSound } from '../platform/io/play-sound.ts'
import { saveFile } from '../platform/io/save-file.ts'
import { loadOnce } from '../platform/load-once.ts'
import { isCallScreen } from '../platform/rules/history-entry.ts'
import { cookieChoice } from '../platform/state/cookie-choice.ts'
import type { AppPorts } from './create-app.ts'
import { createMemberLogin } from './member-login.ts'
import { onOtherUser } from './on-other-user.ts'
import { onPageEnd } from './page-end.ts'
import { quietVideos } from './quiet-videos.ts'
import type { MemberStores, Stores, VisitorStores } from './stores.ts'

/** Creates the stores that only a signed-in user needs: lobby, camera, hub, call and chat. */
export function createMember(ports: AppPorts, visitor: VisitorStores) {
  const { api, clock, log, navigation, storage, workers, pages } = ports
  const { config, visit, account, toasts, pictureChoice, texts } = visitor
  quietVideos()

  const lobby = createLobbyStore({ api, clock, log, whenIdle }, visit, account, toasts)
  const camera = createCamera(clock)
  const devices = createDeviceStore({
    camera,
    frames: createFrameCapture(workers),
    storage,
    picture: pictureChoice,
    clock,
    log,
    moved: (labels) => toasts.show('toasts.device-moved', { labels }),
    changed: () => toasts.show('toasts.pictures-changed'),
  })
  const relayOnly = createRelayOnlyStore({ storage, clock, log })
  const call = createCallStore({
    run(effect, dispatch) {
      if (effect.type === 'report') lastPeer.reported(effect.matchId)
      withRunner((runner) => runner.run(effect, dispatch))
    },
    waits: config,
    ignored(event, phase) {
      span('Match', `ignored in ${phase}: ${event}`, performance.now())
      log.trace(`Call: ${event} is ignored in ${phase}`)
    },
  })
  const lastPeer = createLastPeerStore({
    clock,
    state: call.state,
    send: (report) => withRunner((runner) => runner.run(report, call.dispatch)),
  })
  const page = createPageState()
  const callBack = createCallBackStore({
    notifier: createNotifier(log),
    page,
    log,
    phase: call.phase,
    texts: () => ({ title: texts.t('matching.found'), body: texts.t('matching.call-back.body') }),
  })
  const quality = createQualityStore({
    page,
    log,
    choice: pictureChoice.choice,
    hasCameraPicture: devices.hasCameraPicture,
    relayKbps: config.relayVideoKbps,
    fitCamera: ({ availableKbps }) => devices.fit(availableKbps),
    explained: ({ at, cause }) => span('Match', `cause: ${cause}`, at),
  })
  const sounds = createSoundStore({ storage, log, play: playSound })
  void sounds.restore()
  void relayOnly.restore()
  const pictureStates = createPictureStates({
    clock,
    log,
    page,
    reader: createPictureReader(workers),
    moves: () => movingPictures({ call, quality, devices, pictureChoice }),
    peerTellsCameraOff: quality.tellsCameraOff,
    peerMissed: () => call.dispatch({ type: 'peer-missed' }),
  })
  const curtain = createCurtainStore({
    storage,
    clock,
    log,
    page,
    whenIdle,
    looksToVeil: config.curtainLooks,
    cores: navigator.hardwareConcurrency,
    isSaver: pictureChoice.isSaver,
    match: call.match,
    sends: () => ({
      peer: quality.hasPeerPicture.value,
      own: devices.cameraOn.value && devices.stream.value !== null,
    }),
    judged: pictureStates.judged,
    loadLooks: async () => (await import('../curtain/io/picture-looks.ts')).createPictureLooks(),
    sendCounts: (counts) => api.request('addCurtainCounts', counts),
  })
  void curtain.restore()
  const chat = createChatStore({
    codec: workers.media,
    deliver: async (encoded, id) => (await runner.load()).deliver(encoded, id),
    newId: () => crypto.randomUUID(),
    log,
  })
  const urls = { make: (blob: Blob) => URL.createObjectURL(blob), revoke: (url: string) => URL.revokeObjectURL(url) }
  const assets = createAssetStore({ storage, fetchPicture: createPictureFetch(workers), urls })
  const typing = createTypingStore({
    clock,
    tell: () => runner.loaded()?.tellTyping(),
    isSaving: () => pictureChoice.isSaver.peek(),
  })
  const myData = createMyDataStore({
    api,
    exportData: createDataExport(workers),
    save: saveFile,
    clock,
    log,
    first: () => account.takeFirst('deletion'),
  })
  const connectionCheck = loadOnce(async () => {
    const [{ createConnectionCheck }, { deviceStrength, probeRelay }, { watchLight }] = await Promise.all([
      import('../devices/state/connection-check.ts'),
      import('../devices/io/connection-probe.ts'),
      import('../devices/io/picture-light.ts'),
    ])
    const strength = deviceStrength
    return createConnectionCheck({ api, log, play: playSound, probe: probeRelay, strength, watchLight })
  })
  const preferences = loadOnce(async () => {
    const { createPreferencesStore } = await import('../lobby/state/preferences.ts')
    return createPreferencesStore({ api, log, tags: () => navigator.languages })
  })
  const own: MemberStores = {
    assets,
    lobby,
    devices,
    relayOnly,
    hub: createHubStore(),
    search: createSearchStore(),
    call,
    peerAvatar: createPeerAvatarStore({
      api,
      log,
      state: call.state,
      isSaver: pictureChoice.isSaver,
      urls,
    }),
    callBack,
    lastPeer,
    quality,
    dataUse: createDataUseStore(),
    curtain,
    pictureStates,
    loadCheck: connectionCheck.load,
    DeviceMenu,
    ProfilePopup,
    loadPreferences: preferences.load,
    sounds,
    chat,
    typing,
    myData,
    profile: createProfileStore({ api, log, pictures: createPictureEditor(workers) }, account),
    logins: createLoginStore({ api, providers: ports.providers, log }),
  }
  const stores: Stores = { ...visitor, ...own }
  if (isTracing()) {
    import('../tools/tracks/tracks.ts')
      .then(({ followMember }) => followMember(own))
      .catch((thrown: unknown) => log.error('The tracks of the profiler could not be loaded', thrown))
  }

  const login = createMemberLogin({ api, clock, log, navigation, isAwake: isPageAwake }, stores)
  onPageWake(login.wake)

  const pageExperience = loadOnce(async () => {
    const { createPageExperience } = await import('../call/io/page-experience.ts')
    return createPageExperience()
  })
  const isSampled = Math.random() < config.experienceShare
  const experience = { isAllowed: () => isSampled && cookieChoice() === 'all', loadPage: pageExperience.load }
  const hubSites = createHubSites(config.hubs, { clock, log })
  /** Loads the call runner with SignalR and the peer connection, which the dashboard does not need. */
  const runner = loadOnce(async () => {
    const { createCall } = await import('../call/runner/create-call.ts')
    return createCall({ api, clock, experience, log, navigation, storage }, stores, hubSites, camera.weakCpu())
  })

  /** Runs `task` when the runner is loaded; synchronously if it is, so that the order of events is kept. */
  function withRunner(task: (runner: CallRunner) => void): void {
    const loaded = runner.loaded()
    if (loaded) task(loaded)
    else runner.load().then(task, (thrown: unknown) => toasts.fail(thrown, 'loading the call'))
  }

  /** True while the dashboard shows the Start button. */
  const canStart = computed(() => devices.stream.value !== null && lobby.standing.value === 'open')

  effect(() => {
    // A user who may not chat can act at once: the only action is the appeal.
    if (lobby.standing.value === 'barred') ports.canAct()
    if (!canStart.value) return
    ports.canAct()
    whenIdle(() => void warmUp())
  })

  /** Loads what a call needs. Call it only when the user can start a call, since the loads would delay that. */
  async function warmUp(): Promise<void> {
    void hubSites.measure()
    await pictureChoice.restore()
    if (pictureChoice.isSaver.peek()) return
    for (const { load } of [runner, pages.matching, pages.call]) {
      load().catch((thrown: unknown) => log.error('The call could not be loaded ahead of need', thrown))
    }
  }

  function leaveCall(): void {
    call.dispatch({ type: 'left' })
    runner
      .loaded()
      ?.stop()
      .catch((thrown: unknown) => log.error('The hub did not stop', thrown))
  }

  onOtherUser(account.email, () => {
    leaveCall()
    for (const store of [
      lobby,
      myData,
      stores.logins,
      stores.profile,
      sounds,
      relayOnly,
      pictureChoice,
      curtain,
      callBack,
      lastPeer,
    ])
      store.forget()
    chat.clear()
  })

  // Without this the peer would see a frozen picture until the connection counts as lost.
  onPageEnd(() => {
    const isOn = !['idle', 'ended'].includes(call.phase.peek())
    if (isOn) leaveCall()
    return isOn
  })

  return {
    stores,
    /** Ends the call and closes the devices: the user can neither see nor stop them on a broken page. */
    broken(): void {
      try {
        leaveCall()
      } finally {
        // The devices are closed even if ending the call fails.
        devices.close()
      }
    },
    /** Starts and stops the parts of a screen. */
    entered(path: string): void {
      login.entered(path)
      if (isCallScreen(path)) return
      visit.mark('navigationToVideoCallPage', false)
      leaveCall()
      if (path !== '/dashboard') devices.close()
    },
  }
}

export type Member = ReturnType<typeof createMember>
