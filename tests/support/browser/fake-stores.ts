import { signal } from '@preact/signals-react'
import { AppError } from '#protocol/errors.ts'
import type { Shared } from '#protocol/hub.ts'
import type { PageConfig } from '#protocol/page-config.ts'
import type { EndpointName } from '#protocol/rest.ts'
import type { Identity } from '../../../src/account/ports.ts'
import { ProfilePopup } from '../../../src/account/screens/profile-popup.tsx'
import { type AccountPorts, type AccountStore, createAccountStore } from '../../../src/account/state/account.ts'
import { createLoginStore } from '../../../src/account/state/logins.ts'
import { createMyDataStore } from '../../../src/account/state/my-data.ts'
import { createProfileStore } from '../../../src/account/state/profile.ts'
import type { Stores } from '../../../src/app/stores.ts'
import type { CallEffect } from '../../../src/call/rules/call-state.ts'
import { createAssetStore } from '../../../src/call/state/assets.ts'
import { createCallStore, movingPictures } from '../../../src/call/state/call.ts'
import { createCallBackStore } from '../../../src/call/state/call-back.ts'
import { createChatStore, createTypingStore } from '../../../src/call/state/chat.ts'
import { createDataUseStore } from '../../../src/call/state/data-use.ts'
import { createHubStore, createSearchStore } from '../../../src/call/state/hub.ts'
import { createLastPeerStore } from '../../../src/call/state/last-peer.ts'
import { createPeerAvatarStore } from '../../../src/call/state/peer-avatar.ts'
import { createQualityStore } from '../../../src/call/state/quality.ts'
import { createRelayOnlyStore } from '../../../src/call/state/relay-only.ts'
import { type CurtainCounts, createCurtainStore } from '../../../src/curtain/state/curtain.ts'
import { createPictureStates } from '../../../src/curtain/state/picture-states.ts'
import type { Camera } from '../../../src/devices/ports.ts'
import { DeviceMenu } from '../../../src/devices/screens/device-menu.tsx'
import { createDeviceStore } from '../../../src/devices/state/devices.ts'
import { createSoundStore } from '../../../src/devices/state/sounds.ts'
import { createLobbyStore } from '../../../src/lobby/state/lobby.ts'
import { createPreferencesStore } from '../../../src/lobby/state/preferences.ts'
import type { Clock } from '../../../src/platform/clock.ts'
import { browserClock } from '../../../src/platform/io/browser-clock.ts'
import type { Log } from '../../../src/platform/log.ts'
import type { Sound } from '../../../src/platform/ports.ts'
import { createPictureChoice } from '../../../src/platform/state/picture-choice.ts'
import { createToastStore, type ToastStore } from '../../../src/platform/state/toasts.ts'
import { createVisitStore, type VisitStore } from '../../../src/platform/state/visit.ts'
import { createDeletionStatusStore } from '../../../src/site/deletion-status/deletion-status-page.tsx'
import { createTransparencyStore } from '../../../src/site/transparency/transparency-page.tsx'
import { fakePendingLogout } from '../fakes/fake-pending-logout.ts'
import { scriptedLooks } from '../fakes/scripted-looks.ts'
import { englishTexts } from './english-texts.ts'
import { fakeApiOf, type World } from './fake-world.ts'

const config: PageConfig = {
  providers: { google: null, facebook: null, development: true },
  hubs: [],
  contactEmail: 'hello@waggle.example',
  storeUrl: 'https://store.example/waggle',
  socialLinks: {
    linkedin: 'https://linkedin.example',
    twitter: 'https://twitter.example',
    instagram: 'https://instagram.example',
    facebook: 'https://facebook.example',
    whatsapp: 'https://whatsapp.example',
    snapchat: 'https://snapchat.example',
    youtube: 'https://youtube.example',
    tiktok: 'https://tiktok.example',
  },
  frameClassifier: false,
  curtainLooks: 2,
  relayVideoKbps: 800,
  experienceShare: 0,
  matchTimeoutMs: 20_000,
  nextWaitSeconds: 10,
  understoodWaitSeconds: 10,
  profilePage: false,
  logs: [],
}

const ada: Identity = {
  source: 'Google',
  accessToken: 'token',
  emailAddress: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'NA',
  profilePictureUrl: '',
}

/** The real stores over fake ports whose results the test sets; `effects` and `made` record the effects and requests. */
export function fakeStores(given: Partial<World> = {}) {
  const world: World = {
    status: 'Valid',
    blockCase: null,
    notice: null,
    onlineUsers: 128,
    deliver: () => Promise.resolve(),
    cameraRefused: false,
    cameraAllowed: false,
    trouble: 'denied',
    devices: [],
    appeal: Promise.resolve(),
    deletion: null,
    deletionState: 'waiting',
    logins: [],
    signInIsOld: false,
    identity: async () => ada,
    otherAccount: false,
    wantsLessData: false,
    peerPicture: null,
    profile: {
      nickName: 'Ada',
      gender: 'girl',
      dateOfBirth: '1990-12-10',
      showsPicture: false,
      pictureState: 'none',
      picture: null,
    },
    pictures: {
      measure: async () => ({ width: 400, height: 200 }),
      crop: async () => new Blob(['cropped']),
      still: async () => new Blob(['still']),
    },
    changed: [],
    tags: [],
    suggestions: [],
    preferences: [],
    refusedField: null,
    profileRefusal: null,
    notifications: 'granted',
    isHidden: false,
    talkingUsers: 0,
    report: null,
    failing: [],
    cores: 4,
    ...given,
  }
  const effects: CallEffect[] = []
  const made: EndpointName[] = []
  const tasks = new Set<() => void>()
  const frames: string[] = []
  const played: Sound[] = []
  const saved: string[] = []
  const notifications: string[] = []
  const seen = new Set<() => void>()
  const typed: string[] = []
  const kept = new Map<string, Blob | string>()
  const counted: CurtainCounts[] = []
  const { script, looks } = scriptedLooks()

  const clock: Clock = {
    now: () => 0,
    after: () => () => {},
    every(_ms, task) {
      tasks.add(task)
      return () => void tasks.delete(task)
    },
  }
  const log: Log = { info: () => {}, error: () => {} }
  const api = fakeApiOf(world, made)
  const storage = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: Blob | string) => void kept.set(key, value),
    clear: async () => kept.clear(),
  }
  const visit = createVisitStore()
  const toasts = createToastStore(clock, log)
  const provider = async () => ({ signIn: () => world.identity() })
  const providers = { Google: provider, Facebook: null }
  const account = fakeAccount({ api, log, storage, providers, clock }, visit, toasts)
  const camera: Camera<MediaStream> = {
    async open() {
      if (world.cameraRefused) throw new AppError('camera-refused', 'No', { trouble: world.trouble })
      return paintedStream()
    },
    reopen: async () => paintedStream(),
    shows: async () => {},
    darken: (stream) => {
      stream.getVideoTracks().forEach((track) => void track.stop())
      return new MediaStream([...paintedStream().getVideoTracks(), ...stream.getAudioTracks()])
    },
    enable: (stream, kind, on) =>
      stream.getTracks().forEach((track) => {
        if (track.kind === kind) track.enabled = on
      }),
    resize: async () => {},
    deviceOf: () => '',
    measure: () => () => {},
    watch: () => () => {},
    devices: async () => world.devices,
    onDevices: () => () => {},
    close: (stream) => stream.getTracks().forEach((track) => void track.stop()),
    downlink: () => null,
    weakCpu: () => false,
    isAllowed: async () => world.cameraAllowed,
    portrait: () => false,
  }
  const pictureChoice = createPictureChoice({ storage, log, wantsLessData: () => world.wantsLessData })
  let messages = 0
  const call = createCallStore({ run: (effect) => void effects.push(effect), waits: config, ignored: () => {} })
  const lastPeer = createLastPeerStore({ clock, state: call.state, send: (report) => void effects.push(report) })
  const urls = { make: (blob: Blob) => URL.createObjectURL(blob), revoke: (url: string) => URL.revokeObjectURL(url) }
  const callBack = fakeCallBack(world, call.phase, notifications, seen)
  const devices = createDeviceStore({
    camera,
    frames: {
      async capture(_stream, kind) {
        frames.push(kind)
        return null
      },
      areChanged: async () => false,
      keep: async () => async () => void frames.push('reported'),
    },
    storage,
    picture: pictureChoice,
    clock,
    log,
    moved: () => {},
    changed: () => {},
  })
  const quality = createQualityStore({
    page: { hidden: () => false, onVisibility: () => {}, takeLongTaskMs: () => 0 },
    log,
    choice: pictureChoice.choice,
    hasCameraPicture: devices.hasCameraPicture,
    relayKbps: 800,
    fitCamera: () => {},
    explained: () => {},
  })
  const pictureStates = createPictureStates({
    clock,
    log,
    page: { hidden: () => world.isHidden },
    reader: { read: async () => null },
    moves: () => movingPictures({ call: { health: signal('well') }, quality, devices, pictureChoice }),
    peerTellsCameraOff: quality.tellsCameraOff,
    peerMissed: () => call.dispatch({ type: 'peer-missed' }),
  })
  const stores: Stores = {
    config,
    visit,
    account,
    assets: createAssetStore({
      storage,
      fetchPicture: () => Promise.reject(new AppError('unknown')),
      urls: { make: () => '', revoke: () => {} },
    }),
    lobby: createLobbyStore({ api, clock, log, whenIdle: (task) => task() }, visit, account, toasts),
    devices,
    pictureChoice,
    relayOnly: createRelayOnlyStore({ storage, clock, log }),
    hub: createHubStore(),
    call,
    peerAvatar: createPeerAvatarStore({
      api,
      log,
      state: call.state,
      isSaver: pictureChoice.isSaver,
      urls,
    }),
    search: createSearchStore(),
    callBack,
    lastPeer,
    quality,
    dataUse: createDataUseStore(),
    pictureStates,
    curtain: createCurtainStore({
      storage,
      clock: browserClock,
      log,
      page: { hidden: () => world.isHidden, onVisibility: (listener) => void seen.add(listener) },
      loadLooks: async () => looks,
      async sendCounts(counts) {
        counted.push(counts)
      },
      judged: pictureStates.judged,
      whenIdle: (task) => task(),
      looksToVeil: config.curtainLooks,
      cores: world.cores,
      isSaver: pictureChoice.isSaver,
      match: call.match,
      sends: () => ({ peer: quality.hasPeerPicture.value, own: devices.cameraOn.value }),
    }),
    loadCheck: () => Promise.reject(new AppError('unknown')),
    loadPreferences: async () => createPreferencesStore({ api, log, tags: () => world.tags }),
    sounds: createSoundStore({ storage, log, play: (sound) => void played.push(sound) }),
    chat: createChatStore({
      codec: () => ({ encodeChat: async (text) => text, decodeChat: async (text) => text }),
      deliver: () => world.deliver(),
      newId: () => `message-${++messages}`,
      log,
    }),
    typing: createTypingStore({
      clock,
      tell: () => void typed.push('typed'),
      isSaving: () => pictureChoice.isSaver.peek(),
    }),
    toasts,
    texts: englishTexts(),
    DeviceMenu,
    ProfilePopup,
    profile: createProfileStore({ api, log, pictures: world.pictures }, account),
    logins: createLoginStore({ api, providers, log }),
    myData: createMyDataStore({
      api,
      async exportData() {
        if (world.signInIsOld) throw new AppError('sign-in-again', 'No', { status: 403 })
        return new Blob(['{}'])
      },
      save: (_file, name) => void saved.push(name),
      clock,
      log,
      first: () => account.takeFirst('deletion'),
    }),
  }
  return {
    stores,
    deletionStatus: createDeletionStatusStore(api, log),
    transparency: createTransparencyStore(api, log),
    saved,
    world,
    camera,
    effects,
    made,
    frames,
    /** What the safety curtain sees, and the counts that it sent. */
    looks: script,
    counted,
    played,
    /** The texts of the notifications that are shown. */
    notifications,
    /** One entry for each time that the peer was told that the user types. */
    typed,
    /** Shows or hides the page. */
    look(isHidden: boolean): void {
      world.isHidden = isHidden
      for (const listener of seen) listener()
    },
    /** Runs every repeating task once. */
    beat: () => [...tasks].forEach((task) => void task()),
    /** Runs start-up with a signed-in user. */
    signIn: () => stores.account.start(),
  }
}

/** The real store over fake notifications, whose texts are in `shown` until they are closed. */
function fakeCallBack(
  world: World,
  phase: Stores['call']['phase'],
  shown: string[],
  seen: Set<() => void>,
): Stores['callBack'] {
  let permission = world.notifications && ('default' as 'default' | 'granted' | 'denied')
  return createCallBackStore({
    notifier: {
      permission: () => permission,
      async ask() {
        permission = world.notifications
        return permission ?? 'denied'
      },
      show({ title }) {
        shown.push(title)
        return () => void shown.splice(shown.indexOf(title), 1)
      },
    },
    page: { hidden: () => world.isHidden, onVisibility: (listener) => void seen.add(listener) },
    log: { info: () => {}, error: () => {} },
    phase,
    texts: () => ({ title: 'Match found!', body: '' }),
  })
}

type GivenPorts = Pick<AccountPorts, 'api' | 'log' | 'storage' | 'providers' | 'clock'>

/** The real account store over the given ports; the other ports know no device and no picture. */
export function fakeAccount(ports: GivenPorts, visit: VisitStore, toasts: ToastStore): AccountStore {
  return createAccountStore(
    {
      ...ports,
      deviceInfo: () => Promise.reject(new AppError('unknown')),
      identify: () => {},
      fetchPicture: () => Promise.reject(new AppError('unknown')),
      keepCookieChoice: () => () => {},
      loadSignIn: async () => {},
      pendingLogout: fakePendingLogout(),
      whenIdle: (task) => task(),
    },
    visit,
    toasts,
  )
}

/** A stream with a moving picture, without a camera. */
export function paintedStream(): MediaStream {
  const canvas = document.createElement('canvas')
  canvas.width = 320
  canvas.height = 240
  const context = canvas.getContext('2d')
  const stream = canvas.captureStream(10)
  let hue = 0
  const timer = setInterval(() => {
    if (!context || stream.getTracks().every((track) => track.readyState === 'ended')) return clearInterval(timer)
    hue = (hue + 12) % 360
    context.fillStyle = `hsl(${hue} 70% 60%)`
    context.fillRect(0, 0, 320, 240)
  }, 50)
  return stream
}

/** A stream whose picture never changes, which stays blurred for as long as nobody taps it. */
export function stillStream(): MediaStream {
  const canvas = document.createElement('canvas')
  const still = canvas.captureStream()
  canvas.getContext('2d')?.fillRect(0, 0, 10, 10)
  return still
}

export const matchId = 'match-1'

/** Dispatches the events of a match until the peer's picture has arrived. */
export function meet({ stores }: { stores: Stores }, nickName = 'Béla', shared?: Shared): void {
  const { dispatch } = stores.call
  dispatch({ type: 'started' })
  dispatch({ type: 'ready' })
  dispatch({ type: 'match-found', matchId, role: 'Callee', peerConnectionId: 'peer-1', at: 0, shared })
  dispatch({ type: 'peer-named', peer: { nickName, alias: 'alias-1', userSessionId: 'visit-2' } })
  dispatch({ type: 'video-arrived', matchId })
}

/** Dispatches this number of ticks. */
export function tick({ stores }: { stores: Stores }, times: number): void {
  for (let count = 0; count < times; count += 1) stores.call.dispatch({ type: 'tick' })
}
