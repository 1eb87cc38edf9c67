import { AppError } from '#protocol/errors.ts'
import type { Role } from '#protocol/hub.ts'
import { type PeerStatus, parsePeerStatus } from '#protocol/peer.ts'
import { idleTask } from '../../platform/io/later-tasks.ts'
import type { PeerConnection, PeerListener, PeerOptions } from '../ports.ts'
import { readCallSample } from './call-stats.ts'
import { applyPlaybackDelay, applySendLimits, restoreSize } from './media-limits.ts'
import { createNegotiation } from './peer-negotiation.ts'
import { createPeerReporter, type PeerReporter } from './peer-reporter.ts'

/**
 * Pause before a connection is closed. Chromium never frees a connection that is closed while a change of its state is
 * on its way to the page. With this pause alone, 6 of 480 connections stayed in memory on a busy machine.
 */
const SETTLE_MS = 300
/** Longest wait for a negotiation under way: one that takes longer never ends. */
const NEGOTIATION_MS = 3_000

/** Both sides open the channel with the same id, so that it needs no negotiation after the first description. */
const CHANNEL: RTCDataChannelInit = { negotiated: true, id: 0 }

/** `codecs` are the video codecs in the order of preference; an empty list leaves the order to the browser. */
export type PeerSetup = PeerOptions<MediaStream> & { codecs: Promise<RTCRtpCodec[]> }
export type Peer = PeerConnection<MediaStream> & { listen(listener: PeerListener<MediaStream>): void }

/** Opens one peer connection. The Caller makes its offer at once. Throws if the browser refuses to open it. */
export function openPeer(role: Role, { servers, local, relayOnly, codecs }: PeerSetup): Peer {
  const reporter = createPeerReporter()
  const configuration: RTCConfiguration = {
    iceServers: servers,
    iceTransportPolicy: relayOnly ? 'relay' : 'all',
    bundlePolicy: 'max-bundle',
  }
  const connection = new RTCPeerConnection(configuration)
  const { offer, accept, addCandidate, restartIce, shape, measure, close } = createNegotiation(
    connection,
    { role, codecs },
    reporter,
  )
  reportMedia(connection, reporter)
  reportConnection(connection, reporter)
  for (const track of local.getTracks()) connection.addTrack(track, local)
  const statusChannel = openStatusChannel(connection, reporter)
  let sending: Promise<void> = Promise.resolve()
  reporter.milestone('create')
  if (role === 'Caller') offer()

  /**
   * Runs the changes of what is sent one after another. Each change takes several steps, and the browser refuses steps
   * of two changes at once.
   */
  function changeSending(change: () => Promise<void>): Promise<void> {
    // The check is needed because the connection keeps its tracks for a moment after `close`.
    sending = sending.catch(() => {}).then(() => (reporter.isClosed() ? undefined : change()))
    return sending
  }

  return {
    listen: reporter.listen,
    accept,
    addCandidate,
    restartIce,

    takeServers(next) {
      if (!reporter.isClosed()) connection.setConfiguration({ ...configuration, iceServers: next })
    },

    async replaceTracks(stream) {
      if (reporter.isClosed()) return
      const senders = connection.getSenders()
      await Promise.all(
        stream.getTracks().map(async (track) => {
          const sender = senders.find((one) => one.track?.kind === track.kind)
          if (sender && sender.track !== track) await sender.replaceTrack(track)
        }),
      ).catch((thrown: unknown) => {
        throw new AppError('peer-failed', `A track could not be replaced: ${String(thrown)}`)
      })
    },

    sample: () => readCallSample(connection),
    limit(limits) {
      shape(limits)
      return changeSending(() => applySendLimits(connection, limits))
    },
    delayPlayback: (delayMs) => applyPlaybackDelay(connection, delayMs),
    tell: statusChannel.tell,
    measure,
    restoreSize: () => changeSending(() => restoreSize(connection)),

    /** Call it when the video element has released the stream: otherwise stream and connection stay in memory. */
    close() {
      if (reporter.isClosed()) return
      reporter.close()
      const negotiated = close()
      statusChannel.close()
      clearHandlers(connection)
      void closeSettled(connection, negotiated)
    },
  }
}

/** The data channel of `PeerStatus`. It must be opened before the first description is made. */
function openStatusChannel(connection: RTCPeerConnection, { report, reportFault }: PeerReporter) {
  const channel = connection.createDataChannel('status', CHANNEL)
  let latest: PeerStatus | null = null
  let hasFault = false

  function send(): void {
    if (latest && channel.readyState === 'open') channel.send(JSON.stringify(latest))
  }

  channel.onopen = send
  channel.onmessage = ({ data }) => {
    try {
      report({ type: 'peer-status', status: parsePeerStatus(data) })
    } catch (thrown) {
      // Only the first fault is reported: a hostile peer may send any number.
      if (!hasFault) reportFault("The peer's status", thrown)
      hasFault = true
    }
  }

  return {
    /** Sends the status now, or when the channel opens. */
    tell(status: PeerStatus): void {
      latest = status
      send()
    },
    close(): void {
      channel.onopen = null
      channel.onmessage = null
    },
  }
}

function reportMedia(connection: RTCPeerConnection, { report, milestone }: PeerReporter): void {
  let remote: MediaStream | null = null
  let hasArrived = false

  function videoArrived(): void {
    if (hasArrived) return
    hasArrived = true
    milestone('first RTP')
    report({ type: 'video-arrived' })
  }

  connection.ontrack = ({ track, streams: [stream] }) => {
    const isFirst = remote === null
    remote ??= stream ?? new MediaStream()
    if (!remote.getTracks().includes(track)) remote.addTrack(track)
    if (isFirst) report({ type: 'remote-stream', stream: remote })
    if (track.kind !== 'video') return
    // A remote track is muted until its first packet.
    if (track.muted) track.onunmute = videoArrived
    else videoArrived()
  }
}

function reportConnection(connection: RTCPeerConnection, { report, milestone }: PeerReporter): void {
  connection.onicecandidate = ({ candidate }) => {
    if (candidate) report({ type: 'candidate', data: JSON.stringify(candidate.toJSON()) })
  }

  connection.oniceconnectionstatechange = () => {
    if (connection.iceConnectionState === 'connected') milestone('ICE')
  }

  connection.onconnectionstatechange = () => {
    const state = connection.connectionState
    if (state === 'connected') milestone('DTLS')
    if (state === 'connected' || state === 'disconnected' || state === 'failed') report({ type: 'connection', state })
  }
}

function clearHandlers(connection: RTCPeerConnection): void {
  connection.onicecandidate = null
  connection.ontrack = null
  connection.oniceconnectionstatechange = null
  connection.onconnectionstatechange = null
  for (const { track } of connection.getReceivers()) track.onunmute = null
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Stops senders and remote tracks, and closes the connection when changes of its state have reached the page. */
async function closeSettled(connection: RTCPeerConnection, negotiated: Promise<void>): Promise<void> {
  // Unlike `removeTrack`, `replaceTrack` does not block the page's thread until WebRTC's thread is done.
  const stopped = Promise.allSettled(connection.getSenders().map((sender) => sender.replaceTrack(null)))
  for (const { track } of connection.getReceivers()) {
    await idleTask()
    track.stop()
  }
  await Promise.race([Promise.all([negotiated, stopped]), pause(NEGOTIATION_MS)])
  await pause(SETTLE_MS)
  // Statistics use the same queue as changes of state: when the statistics are here, earlier changes of state are too.
  for (let times = 0; times < 2; times += 1) await connection.getStats().catch(() => null)
  await idleTask()
  connection.close()
}
