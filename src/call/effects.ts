import { AppError, type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { HubArguments, HubMethod, ReportType } from '#protocol/hub.ts'
import { span } from '#workers/trace.ts'
import type { Navigation } from '../app/navigation.ts'
import type { CallEffect, CallEvent, EndReason } from '../domain/call-machine.ts'
import type { Api, Clock, HubClient, Log, PeerConnection, PeerConnections, PeerEvent } from '../domain/ports.ts'
import type { Stores } from '../stores/stores.ts'
import { createConnectionReport } from './connection-report.ts'
import { createHubEvents } from './hub-events.ts'
import { createHubOutbox, type Patience } from './pending-invocations.ts'
import { createCallPreparation } from './preparation.ts'
import { createReadyPeer } from './ready-peer.ts'
import { createSetupDeadlines, type SetupStep } from './setup-deadlines.ts'
import { type CallWatchPorts, createCallWatch } from './watch.ts'

export type CallPorts = {
  api: Api
  clock: Clock
  log: Log
  hub: HubClient
  peers: PeerConnections<MediaStream>
  navigation: Navigation
  onNetworkChange: CallWatchPorts['onNetworkChange']
}

type Dispatch = (event: CallEvent) => void
export type CallEffects = ReturnType<typeof createCallEffects>

const TICK_MS = 1_000

/** Ends that a person is told of. */
const explained = ['hub-unavailable', 'replaced', 'camera-refused', 'relay-unavailable'] as const

function explanationOf(reason: EndReason): `notices.${(typeof explained)[number]}` | null {
  const known = explained.find((each) => each === reason)
  return known ? `notices.${known}` : null
}

/** Carries out what the call machine decides: hub, peer connection, camera, timers, navigation. */
export function createCallEffects(ports: CallPorts, stores: Stores) {
  const { api, clock, log, hub, peers, navigation } = ports
  const { account, call, chat, devices, notices, privacy, quality, session, sounds } = stores
  const preparation = createCallPreparation(api, clock, log)
  const outbox = createHubOutbox(hub)
  const hear = createHubEvents(hub, outbox, stores)
  let excluded: string[] = []
  let peer: PeerConnection<MediaStream> | null = null
  /** When the search began, or the match; for the profiler. */
  let since = 0
  let stopMatchTimer = () => {}
  let stopTicking = () => {}
  let stopListening = () => {}
  /** Counts preparations, so that one that was given up does not end the next. */
  let visit = 0
  /** Counts searches, so that what comes late of one does not end another. */
  let search = 0
  const loadServers = () => preparation.loadServers(privacy.relayOnly.peek())
  const ready = createReadyPeer({ peers, clock, log, loadServers, onNetworkChange: ports.onNetworkChange }, stores)
  const watch = createCallWatch({ clock, log, onNetworkChange: ports.onNetworkChange })
  const report = createConnectionReport({ api, clock, log })
  const deadlines = createSetupDeadlines(clock, stores.config.matchTimeoutMs)

  const named = (nickName: string) => nickName || stores.texts.t('notices.unnamed-peer')
  const owner = () => ({ email: account.email.peek(), userSessionId: session.userSessionId.peek() })

  /** Sends to the hub as soon as it is there; a refusal is logged, since the server's own events put things right. */
  function tell<M extends HubMethod>(method: M, patience: Patience, args: () => HubArguments<M>): void {
    outbox.post(method, patience, args).catch((thrown: unknown) => {
      if (toAppError(thrown).code !== 'aborted') log.error(`${method} was refused`, thrown)
    })
  }

  /** Nobody is left to believe that a report was made which was not. */
  function sendReport(peerConnectionId: string, type: ReportType): void {
    if (stores.hub.state.peek() === 'gave-up') reconnect()
    outbox
      .post('HandleReportedUser', 'visit', () => [hub.connectionId(), peerConnectionId, type])
      .catch((thrown: unknown) => {
        const { code } = toAppError(thrown)
        // The visit is over, or the report was there already.
        if (code === 'aborted' || code === 'wrong-state') return
        log.error('HandleReportedUser was refused', thrown)
        notices.say('notices.report-failed')
      })
  }

  function reconnect(): void {
    startHub().catch((thrown: unknown) => log.error('The hub could not be reached again', thrown))
  }

  function startHub(): Promise<void> {
    const { userSessionId } = owner()
    const token = async () => (await api.request('readHubToken', { userSessionId })).hubConnectionAccessToken
    return hub.start({ userSessionId, token })
  }

  async function prepare(dispatch: Dispatch): Promise<void> {
    visit += 1
    const current = visit
    const { email, userSessionId } = owner()
    if (email === '' || userSessionId === '') {
      log.error('User email not found in cache')
      dispatch({ type: 'failed', reason: 'hub-unavailable' })
      return
    }
    stopListening()
    const stops = [hear(dispatch), watchDevices(dispatch)]
    stopListening = () => {
      for (const stop of stops) stop()
    }
    try {
      const loaded = await Promise.all([
        preparation.loadExclusions(),
        ready.load(),
        preparation.checkStatus(),
        devices.open(),
        startHub(),
      ])
      if (current !== visit) return
      excluded = loaded[0]
      ready.follow({
        current: () => peer,
        failed: () => dispatch({ type: 'failed', reason: 'relay-unavailable' }),
      })
      dispatch({ type: 'ready' })
    } catch (thrown) {
      // Whoever leaves gives up what was asked for them.
      if (current !== visit) return
      log.error('Matching could not start', thrown)
      dispatch({ type: 'failed', reason: failureReason(toAppError(thrown).code) })
    }
  }

  function failureReason(code: ErrorCode): 'not-allowed' | 'camera-refused' | 'relay-unavailable' | 'hub-unavailable' {
    if (code === 'blocked' || code === 'forbidden') return 'not-allowed'
    return code === 'camera-refused' || code === 'relay-unavailable' ? code : 'hub-unavailable'
  }

  async function joinQueue(dispatch: Dispatch): Promise<void> {
    search += 1
    const current = search
    const isOver = () => current !== search || call.phase.peek() !== 'searching'
    chat.clear()
    since = performance.now()
    try {
      // What was lost in the call before must be back: nobody is to be matched without a picture or a voice.
      if (devices.interruption.peek()?.what === 'lost') await devices.open()
      if (isOver()) return
      ready.prepare()
      if (stores.hub.state.peek() === 'gave-up') {
        // The queue is joined by the new connection.
        await startHub()
        return
      }
      await hub.invoke('InitiateMatchingWithPeers', hub.connectionId(), JSON.stringify(excluded))
    } catch (thrown) {
      log.error('The queue could not be joined', thrown)
      const { code } = toAppError(thrown)
      // A connection that is coming back joins again by itself.
      if (isOver() || (code === 'hub-unavailable' && stores.hub.state.peek() === 'reconnecting')) return
      dispatch({ type: 'failed', reason: failureReason(code) })
    }
  }

  /** A search without a camera or a microphone, and without another to take its place, is one for nobody. */
  function watchDevices(dispatch: Dispatch): () => void {
    return devices.interruption.subscribe((interruption) => {
      if (call.phase.peek() !== 'searching') return
      if (interruption?.what === 'lost' && interruption.trouble !== null)
        dispatch({ type: 'failed', reason: 'camera-refused' })
    })
  }

  /** Once, when the camera is first open: on the dashboard, where there is time for it. */
  function warmUpOnce(): void {
    const stop = devices.stream.subscribe((local) => {
      if (!local) return
      queueMicrotask(() => stop())
      void peers.warmUp(local)
    })
  }

  function openPeer(of: string, role: 'Caller' | 'Callee', dispatch: Dispatch): void {
    span('Match', 'search', since)
    since = performance.now()
    sounds.play('match')
    peer?.close()
    outbox.endSession()
    call.showHealth('starting')
    const opened = ready.take(role, (event) => heard(of, event, dispatch))
    if (!opened) {
      dispatch({ type: 'failed', reason: 'camera-refused' })
      return
    }
    peer = opened
    report.begin()
    awaitStep(role === 'Caller' ? 'answer' : 'offer', of, dispatch)
    watch.start(opened, {
      restart() {
        log.info('The peer connection is restarted')
        dispatch({ type: 'connection-broken', session: of })
      },
      giveUp() {
        report.broken()
        dispatch({ type: 'connection-lost', session: of })
      },
      changed: (phase) => call.showHealth(phase),
      sampled(sample) {
        report.sampled(sample)
        return quality.take(sample, opened)
      },
    })
  }

  function awaitStep(step: SetupStep, of: string, dispatch: Dispatch): void {
    deadlines.waitFor(step, (missing) => {
      log.error(`WebRTC session timed out: no ${missing}`)
      if (missing === 'connection') report.broken()
      dispatch({ type: 'match-timed-out', session: of })
    })
  }

  function heard(of: string, event: PeerEvent<MediaStream>, dispatch: Dispatch): void {
    switch (event.type) {
      case 'description':
        if (event.kind === 'answer' && call.phase.peek() === 'connecting') awaitStep('connection', of, dispatch)
        dispatch({ type: 'description-made', session: of, kind: event.kind, data: event.data })
        break
      case 'candidate':
        dispatch({ type: 'candidate-made', session: of, data: event.data })
        break
      case 'remote-stream':
        call.showRemote(event.stream)
        break
      case 'video-arrived':
        deadlines.done()
        watch.arrived()
        span('Match', 'to the picture', since)
        dispatch({ type: 'video-arrived', session: of })
        break
      case 'connection':
        log.info(`The peer connection is ${event.state}`)
        if (event.state === 'connected') report.connected()
        if (event.state === 'connected' && call.phase.peek() === 'connecting') awaitStep('picture', of, dispatch)
        watch.connection(event.state)
        break
      case 'fault':
        log.error(`The peer connection failed: ${event.code} ${event.message}`)
        break
      default:
        event satisfies never
    }
  }

  function closePeer(): void {
    // The video lets go of the stream first; a connection closed before it would live on.
    call.showRemote(null)
    devices.forgetEvidence()
    watch.stop()
    deadlines.done()
    quality.stop()
    report.end()
    peer?.close()
    peer = null
    outbox.endSession()
  }

  function navigate(to: 'buzzing' | 'chat' | 'dashboard'): void {
    session.mark('navigationToVideoCallPage', to === 'chat')
    navigation.go(`/${to}`)
  }

  warmUpOnce()

  return {
    run(effect: CallEffect, dispatch: Dispatch): void {
      switch (effect.type) {
        case 'prepare':
          void prepare(dispatch)
          break
        case 'join-queue':
          void joinQueue(dispatch)
          break
        case 'introduce':
          tell('HandleUserNickNameAndUserEmailIdToPeer', 'session', () => [
            effect.peerConnectionId,
            account.nickName.peek(),
            '',
          ])
          tell('HandleMatchedEmailIds', 'session', () => ['', effect.session])
          break
        case 'open-peer':
          openPeer(effect.session, effect.role, dispatch)
          break
        case 'accept-description': {
          const state = call.state.peek()
          if (state.phase === 'connecting' && state.role === 'Caller') awaitStep('connection', state.session, dispatch)
          peer?.accept(effect.data)
          break
        }
        case 'add-candidate':
          peer?.addCandidate(effect.data)
          break
        case 'send-description': {
          const method = effect.kind === 'offer' ? 'HandleOffer' : 'HandleAnswer'
          tell(method, 'session', () => [effect.session, effect.peerConnectionId, effect.data])
          break
        }
        case 'send-candidate':
          tell('HandleIceCandidate', 'session', () => [effect.session, effect.peerConnectionId, effect.data])
          break
        case 'restart-ice':
          peer?.restartIce()
          break
        case 'start-match-timer':
          stopMatchTimer()
          stopMatchTimer = clock.after(effect.ms, () => {
            log.error('WebRTC session timed out')
            dispatch({ type: 'match-timed-out', session: effect.session })
          })
          break
        case 'stop-match-timer':
          stopMatchTimer()
          break
        case 'start-ticking':
          stopTicking()
          stopTicking = clock.every(TICK_MS, () => dispatch({ type: 'tick' }))
          break
        case 'stop-ticking':
          stopTicking()
          break
        case 'report-connected':
          tell('UpdateWebRtcConnectionSuccessStatus', 'session', () => [effect.session])
          break
        case 'terminate':
          tell('OnMatchedSessionTerminationRequested', 'visit', () => [effect.session, hub.connectionId()])
          break
        case 'report':
          void devices.sendEvidence(owner(), call.remote.peek())
          sendReport(effect.peerConnectionId, effect.report)
          break
        case 'keep-evidence':
          devices.keepEvidence(call.remote.peek())
          break
        case 'forget-evidence':
          devices.forgetEvidence()
          break
        case 'capture-evidence':
          void devices.captureEvidence(owner())
          break
        case 'close-peer':
          closePeer()
          break
        case 'tell-peer-left':
          notices.say('notices.peer-left', { nickName: named(effect.nickName) })
          break
        case 'tell-connection-lost':
          notices.say('notices.connection-lost', { nickName: named(effect.nickName) })
          break
        case 'tell-report-taken':
          notices.say('notices.report-taken')
          break
        case 'reconnect':
          reconnect()
          break
        case 'go':
          navigate(effect.to)
          break
        case 'leave': {
          const text = explanationOf(effect.reason)
          if (text) notices.say(text)
          session.mark('dashboardPageCanBeLoadedFromSplashScreen')
          navigate('dashboard')
          break
        }
        default:
          effect satisfies never
      }
    },

    /** Hands an encoded chat message to the peer of the current session; waits for a hub that is away for a while. */
    async deliver(encoded: string, id: string): Promise<void> {
      const state = call.state.peek()
      if (state.phase !== 'in-call') throw new AppError('not-delivered')
      const { session: to, peerConnectionId } = state
      await outbox.post('SendChatMessageToPeer', 'connection', () => [to, peerConnectionId, encoded, id])
    },

    /** Ends the hub connection; called when the pages of the call are left. */
    async stop(): Promise<void> {
      visit += 1
      stopListening()
      ready.stop()
      outbox.endVisit()
      stores.hub.changed('disconnected')
      await hub.stop()
    },
  }
}
