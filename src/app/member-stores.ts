import { span } from '#workers/trace.ts'
import { createPictureEditor } from '../account/io/picture-editor.ts'
import { ProfilePopup } from '../account/screens/profile-popup.tsx'
import { createLoginStore } from '../account/state/logins.ts'
import { createMyDataStore } from '../account/state/my-data.ts'
import { createProfileStore } from '../account/state/profile.ts'
import type { Member as MemberAccount } from '../account/use-account.ts'
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
import type { Call } from '../call/use-call.ts'
import { createPictureReader } from '../curtain/io/picture-reader.ts'
import { createCurtainStore } from '../curtain/state/curtain.ts'
import { createPictureStates } from '../curtain/state/picture-states.ts'
import type { Curtain } from '../curtain/use-curtain.tsx'
import { createCamera } from '../devices/io/camera.ts'
import { createFrameCapture } from '../devices/io/frame-capture.ts'
import { DeviceMenu } from '../devices/screens/device-menu.tsx'
import { createDeviceStore, type DeviceStore } from '../devices/state/devices.ts'
import { createSoundStore } from '../devices/state/sounds.ts'
import type { Devices } from '../devices/use-devices.tsx'
import { createLobbyStore } from '../lobby/state/lobby.ts'
import type { Lobby } from '../lobby/use-lobby.ts'
import { whenIdle } from '../platform/io/later-tasks.ts'
import { playSound } from '../platform/io/play-sound.ts'
import { saveFile } from '../platform/io/save-file.ts'
import { type Loadable, loadOnce } from '../platform/load-once.ts'
import type { PageState } from '../platform/ports.ts'
import type { AppPorts, VisitorStores } from './stores.ts'

export function createDevices(ports: AppPorts, { pictureChoice, toasts }: VisitorStores) {
  const camera = createCamera(ports.clock)
  const devices = createDeviceStore({
    ...ports,
    camera,
    frames: createFrameCapture(ports.workers),
    picture: pictureChoice,
    moved: (labels) => toasts.show('toasts.device-moved', { labels }),
    changed: () => toasts.show('toasts.pictures-changed'),
  })
  const sounds = createSoundStore({ ...ports, play: playSound })
  void sounds.restore()
  const check = loadOnce(async () => {
    const [{ createConnectionCheck }, { deviceStrength: strength, probeRelay: probe, watchLight }] = await Promise.all([
      import('../devices/state/connection-check.ts'),
      import('../devices/io/device-check.ts'),
    ])
    return createConnectionCheck({ ...ports, play: playSound, probe, strength, watchLight })
  })
  const stores: Devices = { devices, sounds, loadCheck: check.load, DeviceMenu }
  return { stores, weakCpu: camera.weakCpu }
}

type CallParts = { devices: DeviceStore; page: PageState; runner: Loadable<CallRunner> }

/** `runner` is loaded by the first effect of a call. */
export function createCalls(ports: AppPorts, visitor: VisitorStores, { devices, page, runner }: CallParts): Call {
  const { log, workers } = ports
  const { config, toasts, pictureChoice, texts } = visitor
  const { isSaver } = pictureChoice
  const urls = { make: (blob: Blob) => URL.createObjectURL(blob), revoke: (url: string) => URL.revokeObjectURL(url) }

  /** Runs `task` when the runner is loaded; synchronously if it is, so that the order of events is kept. */
  function withRunner(task: (runner: CallRunner) => void): void {
    const loaded = runner.loaded()
    if (loaded) task(loaded)
    else runner.load().then(task, (thrown: unknown) => toasts.fail(thrown, 'loading the call'))
  }

  const relayOnly = createRelayOnlyStore(ports)
  void relayOnly.restore()
  const call = createCallStore({
    run(effect, dispatch) {
      if (effect.type === 'report') lastPeer.reported(effect.matchId)
      withRunner((loaded) => loaded.run(effect, dispatch))
    },
    waits: config,
    ignored(event, phase) {
      span('Match', `ignored in ${phase}: ${event}`, performance.now())
      log.trace(`Call: ${event} is ignored in ${phase}`)
    },
  })
  const { state } = call
  const lastPeer = createLastPeerStore({
    ...ports,
    state,
    send: (report) => withRunner((loaded) => loaded.run(report, call.dispatch)),
  })
  return {
    relayOnly,
    call,
    lastPeer,
    hub: createHubStore(),
    search: createSearchStore(),
    dataUse: createDataUseStore(),
    callBack: createCallBackStore({
      notifier: createNotifier(log),
      page,
      log,
      phase: call.phase,
      texts: () => ({ title: texts.t('matching.found'), body: texts.t('matching.call-back.body') }),
    }),
    quality: createQualityStore({
      page,
      log,
      choice: pictureChoice.choice,
      hasCameraPicture: devices.hasCameraPicture,
      relayKbps: config.relayVideoKbps,
      fitCamera: ({ availableKbps }) => devices.fit(availableKbps),
      explained: ({ at, cause }) => span('Match', `cause: ${cause}`, at),
    }),
    chat: createChatStore({
      codec: workers.media,
      deliver: async (encoded, id) => (await runner.load()).deliver(encoded, id),
      newId: () => crypto.randomUUID(),
      log,
    }),
    typing: createTypingStore({
      ...ports,
      tell: () => runner.loaded()?.tellTyping(),
      isSaving: () => isSaver.peek(),
    }),
    assets: createAssetStore({ ...ports, fetchPicture: (url) => workers.network().fetchPicture(url), urls }),
    peerAvatar: createPeerAvatarStore({ ...ports, state, isSaver, urls }),
  }
}

type CurtainParts = { devices: DeviceStore; page: PageState; calls: Pick<Call, 'call' | 'quality'> }

export function createCurtain(
  ports: AppPorts,
  visitor: VisitorStores,
  { devices, page, calls }: CurtainParts,
): Curtain {
  const { config, pictureChoice } = visitor
  const { call, quality } = calls
  const pictureStates = createPictureStates({
    ...ports,
    page,
    reader: createPictureReader(ports.workers),
    moves: () => movingPictures({ call, quality, devices, pictureChoice }),
    peerTellsCameraOff: quality.tellsCameraOff,
    peerMissed: () => call.dispatch({ type: 'peer-missed' }),
  })
  const curtain = createCurtainStore({
    ...ports,
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
    sendCounts: (counts) => ports.api.request('addCurtainCounts', counts),
  })
  void curtain.restore()
  return { curtain, pictureStates }
}

export function createMemberAccount(ports: AppPorts, { account }: VisitorStores): MemberAccount {
  const { workers } = ports
  return {
    ProfilePopup,
    profile: createProfileStore({ ...ports, pictures: createPictureEditor(workers) }, account),
    logins: createLoginStore(ports),
    myData: createMyDataStore({
      ...ports,
      exportData: () => workers.network().exportData(),
      save: saveFile,
      first: () => account.takeFirst('deletion'),
    }),
  }
}

export function createLobby(ports: AppPorts, { visit, account, toasts }: VisitorStores): Lobby {
  const preferences = loadOnce(async () => {
    const { createPreferencesStore } = await import('../lobby/state/preferences.ts')
    return createPreferencesStore({ ...ports, tags: () => navigator.languages })
  })
  return {
    lobby: createLobbyStore({ ...ports, whenIdle }, visit, account, toasts),
    loadPreferences: preferences.load,
  }
}
