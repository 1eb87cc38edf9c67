import { computed, effect } from '@preact/signals-react'
import { isTracing } from '#workers/trace.ts'
import { createHubSites } from '../call/hub/hub-sites.ts'
import { whenIdle } from '../platform/io/later-tasks.ts'
import { createPageState } from '../platform/io/page-state.ts'
import { isPageAwake, onPageWake } from '../platform/io/page-wakes.ts'
import { loadOnce } from '../platform/load-once.ts'
import { isCallScreen } from '../platform/rules/history-entry.ts'
import { cookieChoice } from '../platform/state/cookie-choice.ts'
import { onOtherUser } from './login-watch.ts'
import { createMemberLogin } from './member-login.ts'
import { MemberProvider } from './member-provider.tsx'
import { createCalls, createCurtain, createDevices, createLobby, createMemberAccount } from './member-stores.ts'
import type { AppPorts, Stores, VisitorStores } from './stores.ts'

/** Creates what only a signed-in user needs: lobby, camera, hub, call and chat. */
export function createMember(ports: AppPorts, visitor: VisitorStores) {
  const { log, pages } = ports
  const { config, visit, account, pictureChoice } = visitor
  quietVideos()

  const page = createPageState()
  const hubSites = createHubSites(config.hubs, ports)
  const experience = sampleExperience(config.experienceShare)
  /** The runner brings SignalR and the peer connection, which the dashboard does not need. */
  const runner = loadOnce(async () => {
    const { createCall } = await import('../call/runner/call-runner.ts')
    return createCall({ ...ports, experience }, stores, hubSites, weakCpu())
  })
  const lobby = createLobby(ports, visitor)
  const { stores: own, weakCpu } = createDevices(ports, visitor)
  const { devices } = own
  const calls = createCalls(ports, visitor, { devices, page, runner })
  const curtain = createCurtain(ports, visitor, { devices, page, calls })
  const stores: Stores = { ...visitor, ...lobby, ...own, ...calls, ...curtain, ...createMemberAccount(ports, visitor) }
  const { call } = stores

  if (isTracing()) {
    import('../tools/tracks/tracks.ts')
      .then(({ followMember }) => followMember(stores))
      .catch((thrown: unknown) => log.error('The tracks of the profiler could not be loaded', thrown))
  }

  const login = createMemberLogin({ ...ports, isAwake: isPageAwake }, stores)
  onPageWake(login.wake)

  /** Loads what a call needs. Called when the user can start a call, which the loading would delay. */
  async function warmUp(): Promise<void> {
    void hubSites.measure()
    await pictureChoice.restore()
    if (pictureChoice.isSaver.peek()) return
    for (const { load } of [runner, pages.matching, pages.call]) {
      load().catch((thrown: unknown) => log.error('The call could not be loaded ahead of need', thrown))
    }
  }

  followAbility(stores, ports.canAct, () => void warmUp())

  function leaveCall(): void {
    call.dispatch({ type: 'left' })
    runner
      .loaded()
      ?.stop()
      .catch((thrown: unknown) => log.error('The hub did not stop', thrown))
  }

  onOtherUser(account.email, () => {
    leaveCall()
    const { myData, logins, profile, sounds, relayOnly, callBack, lastPeer, chat } = stores
    const perUser = [lobby.lobby, myData, logins, profile, sounds, relayOnly, pictureChoice, curtain.curtain]
    for (const store of [...perUser, callBack, lastPeer]) store.forget()
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
    Provider: MemberProvider,
    /** Ends the call and closes the devices: the user can neither see nor stop them on a broken page. */
    broken(): void {
      try {
        leaveCall()
      } finally {
        // The devices go off even if the call could not be ended.
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

/** Chooses by chance, once a visit, whether this visit reports its experience. */
function sampleExperience(share: number) {
  const page = loadOnce(async () => (await import('../call/io/page-experience.ts')).createPageExperience())
  const isSampled = Math.random() < share
  return { isAllowed: () => isSampled && cookieChoice() === 'all', loadPage: page.load }
}

/** Calls `canAct` when the user can start a call or appeal, and `warmUp` in an idle moment after the Start button is shown. */
function followAbility({ devices, lobby }: Stores, canAct: () => void, warmUp: () => void): void {
  /** True while the dashboard shows the Start button. */
  const canStart = computed(() => devices.stream.value !== null && lobby.standing.value === 'open')
  effect(() => {
    // A user who may not chat can act at once: the only action is the appeal.
    if (lobby.standing.value === 'barred') canAct()
    if (!canStart.value) return
    canAct()
    whenIdle(warmUp)
  })
}

/**
 * Calls `leave` at every `pagehide`. If it returned true and the browser restores the page from the back/forward cache,
 * the root page is loaded instead.
 */
function onPageEnd(leave: () => boolean): void {
  let left = false
  addEventListener('pagehide', () => {
    left = leave()
  })
  addEventListener('pageshow', () => {
    if (left) location.replace('/')
  })
}

/**
 * Stops `timeupdate` events before React handles them. React listens to every media event. Although no component has a
 * handler, these four events per second and video take most of the CPU time of a page that shows a camera.
 */
export function quietVideos(): void {
  window.addEventListener('timeupdate', (event) => event.stopPropagation(), { capture: true })
}
