import * as v from 'valibot'
import { AppError, toAppError } from '#protocol/errors.ts'
import { type Candidate, candidateSchema, descriptionSchema, hasAudioAndVideo, type Role } from '#protocol/hub.ts'
import { parse } from '#protocol/parse.ts'
import { span } from '#workers/trace.ts'
import type { PeerConnection, PeerConnections, PeerEvent, PeerListener, PeerOptions } from '../domain/ports.ts'
import { applySendLimits, readCallSample } from './call-stats.ts'
import { hasUserNameFragment, withStartBitrate } from './sdp.ts'

/** More than this hurts slow uplinks and gains nothing on fast ones. */
const START_KBIT_PER_SECOND = 1000

/** A browser that needs longer is not helped by this. */
const WARM_UP_MS = 5_000

const candidateTextSchema = v.pipe(v.string(), v.parseJson(), candidateSchema)
/** Above what any call needs: bounds the memory that the messages of a peer take. */
const EARLY_CANDIDATES_MAX = 200
const DESCRIPTIONS_KEPT = 20
const descriptionTextSchema = v.pipe(v.string(), v.parseJson(), descriptionSchema)

type Options = PeerOptions<MediaStream> & { codecs: Promise<RTCRtpCodec[]> }
type Listener = PeerListener<MediaStream>
type Peer = PeerConnection<MediaStream> & { listen(listener: Listener): void }

/**
 * Where the browser refuses to make a connection, the fault is reported and the rest of that peer does nothing. `codecs` are
 * those of the video in the order of preference; none leave it to the browser.
 */
export function createPeerConnections(
  codecs: Promise<RTCRtpCodec[]> = Promise.resolve([]),
): PeerConnections<MediaStream> {
  return {
    async warmUp(local) {
      const loop = { servers: [], local, relayOnly: false, codecs }
      const [caller, callee] = [open('Caller', loop), open('Callee', loop)]
      const arrived = [listenAs(caller, callee), listenAs(callee, caller)]
      const limit = new Promise((resolve) => setTimeout(resolve, WARM_UP_MS))
      await Promise.race([Promise.all(arrived), limit])
      caller.close()
      callee.close()
    },

    prepare(options) {
      const given = { ...options, codecs }
      const ready: Record<Role, Peer> = { Caller: open('Caller', given), Callee: open('Callee', given) }
      let taken: Peer | null = null
      function close(): void {
        for (const peer of Object.values(ready)) if (peer !== taken) peer.close()
      }
      return {
        take(role, listener) {
          taken = ready[role]
          close()
          taken.listen(listener)
          return taken
        },
        close,
      }
    },
  }
}

/** Hands everything that `own` has to say to `other`; resolves when media has come. */
function listenAs(own: Peer, other: Peer): Promise<void> {
  return new Promise((resolve) => {
    own.listen((event) => {
      if (event.type === 'description') other.accept(event.data)
      else if (event.type === 'candidate') other.addCandidate(event.data)
      else if (event.type === 'video-arrived') resolve()
    })
  })
}

function open(role: Role, options: Options): Peer {
  try {
    return openPeer(role, options)
  } catch (thrown) {
    const { message } = toAppError(thrown)
    const refuse = () => Promise.reject(new AppError('peer-failed', message))
    return {
      accept() {},
      addCandidate() {},
      restartIce() {},
      takeServers() {},
      replaceTracks: refuse,
      sample: refuse,
      limit: refuse,
      listen: (listener) => queueMicrotask(() => listener({ type: 'fault', code: 'peer-failed', message })),
      close() {},
    }
  }
}

function openPeer(role: Role, { servers, local, relayOnly, codecs }: Options): Peer {
  let since = performance.now()
  const configuration: RTCConfiguration = {
    iceServers: servers,
    iceTransportPolicy: relayOnly ? 'relay' : 'all',
    bundlePolicy: 'max-bundle',
  }
  const connection = new RTCPeerConnection(configuration)
  let closed = false
  let queue = Promise.resolve()
  let earlyCandidates: Candidate[] = []
  /** The hub may bring a description again, and out of its time. */
  const taken = new Set<string>()
  let restartWanted = false
  let remote: MediaStream | null = null
  let videoArrived = false
  let listener: Listener | null = null
  /** What was to be reported before anybody listened. */
  let early: PeerEvent<MediaStream>[] = []

  function report(event: PeerEvent<MediaStream>): void {
    if (closed) return
    if (listener) listener(event)
    else early.push(event)
  }

  /** The browser's own text may quote a line of the description, which belongs in no log: its name must do. */
  function reportFault(operation: string, thrown: unknown): void {
    const name = thrown instanceof Error ? thrown.name : 'unknown'
    const { code, message } =
      thrown instanceof AppError ? thrown : new AppError('peer-failed', `${operation} failed: ${name}`)
    report({ type: 'fault', code, message })
  }

  /** One operation at a time, so that an offer and an answer that overlap cannot interleave. */
  function enqueue(operation: string, task: () => Promise<void>): void {
    queue = queue.then(() => (closed ? undefined : task())).catch((thrown: unknown) => reportFault(operation, thrown))
  }

  function milestone(label: string): void {
    const now = performance.now()
    span('Call setup', label, since, now)
    since = now
  }

  async function publish(made: RTCSessionDescriptionInit): Promise<void> {
    const { type, sdp = '' } = made
    if (type !== 'offer' && type !== 'answer') return
    if (!hasAudioAndVideo(sdp)) throw new AppError('offer-incomplete', `The own ${type} lacks audio or video`)
    milestone(type)
    await connection.setLocalDescription(made)
    milestone('local')
    report({ type: 'description', kind: type, data: JSON.stringify({ type, sdp }) })
  }

  async function acceptAnswer(sdp: string): Promise<void> {
    if (connection.signalingState !== 'have-local-offer') return
    await setRemote('answer', sdp)
    await applyCandidates()
    if (!restartWanted || closed) return
    restartWanted = false
    await publish(await connection.createOffer({ iceRestart: true }))
  }

  async function acceptOffer(sdp: string): Promise<void> {
    await setRemote('offer', sdp)
    await preferCodecs()
    await publish(await connection.createAnswer())
    await applyCandidates()
  }

  /** Before each description of one's own; what the two sides share is sent in this order. */
  async function preferCodecs(): Promise<void> {
    try {
      const wanted = await codecs
      if (wanted.length === 0 || closed) return
      for (const transceiver of connection.getTransceivers())
        if (transceiver.receiver.track.kind === 'video') transceiver.setCodecPreferences(wanted)
    } catch (thrown) {
      // A wish, not a need: the browser's own order connects as well.
      reportFault('The order of codecs', thrown)
    }
  }

  async function setRemote(type: 'offer' | 'answer', sdp: string): Promise<void> {
    since = performance.now()
    await connection.setRemoteDescription({
      type,
      sdp: isChromium() ? withStartBitrate(sdp, START_KBIT_PER_SECOND) : sdp,
    })
    milestone('remote')
  }

  /** A candidate of ICE credentials that no description has named yet waits for that description. */
  async function applyCandidates(): Promise<void> {
    const sdp = connection.remoteDescription?.sdp
    if (sdp === undefined) return
    const fits = ({ usernameFragment }: Candidate) => !usernameFragment || hasUserNameFragment(sdp, usernameFragment)
    const ready = earlyCandidates.filter(fits)
    earlyCandidates = earlyCandidates.filter((candidate) => !fits(candidate))
    await Promise.all(
      ready.map((candidate) =>
        connection.addIceCandidate(asInit(candidate)).catch((thrown: unknown) => reportFault('A candidate', thrown)),
      ),
    )
  }

  function reportVideo(): void {
    if (videoArrived) return
    videoArrived = true
    milestone('first RTP')
    report({ type: 'video-arrived' })
  }

  connection.onicecandidate = ({ candidate }) => {
    if (candidate) report({ type: 'candidate', data: JSON.stringify(candidate.toJSON()) })
  }

  connection.ontrack = ({ track, streams: [stream] }) => {
    const first = remote === null
    remote ??= stream ?? new MediaStream()
    if (!remote.getTracks().includes(track)) remote.addTrack(track)
    if (first) report({ type: 'remote-stream', stream: remote })
    if (track.kind !== 'video') return
    // A remote track is muted until its first packet.
    if (track.muted) track.onunmute = reportVideo
    else reportVideo()
  }

  connection.oniceconnectionstatechange = () => {
    if (connection.iceConnectionState === 'connected') milestone('ICE')
  }

  connection.onconnectionstatechange = () => {
    const state = connection.connectionState
    if (state === 'connected') milestone('DTLS')
    if (state === 'connected' || state === 'disconnected' || state === 'failed') report({ type: 'connection', state })
  }

  for (const track of local.getTracks()) connection.addTrack(track, local)
  milestone('create')
  if (role === 'Caller') {
    enqueue('The offer', async () => {
      await preferCodecs()
      await publish(await connection.createOffer())
    })
  }

  return {
    listen(to) {
      listener = to
      since = performance.now()
      const waiting = early
      early = []
      // Later than the caller's own next step, and before anything new.
      queueMicrotask(() => waiting.forEach(report))
    },

    accept(data) {
      enqueue("The peer's description", async () => {
        const { type, sdp } = parse(descriptionTextSchema, data)
        if (!hasAudioAndVideo(sdp)) throw new AppError('offer-incomplete', `The peer's ${type} lacks audio or video`)
        if (taken.has(sdp)) return
        const [oldest] = taken
        if (oldest !== undefined && taken.size >= DESCRIPTIONS_KEPT) taken.delete(oldest)
        taken.add(sdp)
        if (type === 'answer') await acceptAnswer(sdp)
        else if (role === 'Callee') await acceptOffer(sdp)
      })
    },

    addCandidate(data) {
      enqueue('A candidate', async () => {
        if (earlyCandidates.length >= EARLY_CANDIDATES_MAX) earlyCandidates.shift()
        earlyCandidates.push(parse(candidateTextSchema, data))
        await applyCandidates()
      })
    },

    restartIce() {
      enqueue('The ICE restart', async () => {
        // The answer that is under way belongs to the offer before it: a new offer now would be paired with that answer.
        restartWanted = connection.signalingState !== 'stable'
        if (restartWanted) return
        since = performance.now()
        await publish(await connection.createOffer({ iceRestart: true }))
      })
    },

    takeServers(next) {
      if (!closed) connection.setConfiguration({ ...configuration, iceServers: next })
    },

    async replaceTracks(stream) {
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
    limit: (limits) => applySendLimits(connection, limits),

    /** The video that shows the remote stream lets go of it first: else both outlive the call. */
    close() {
      if (closed) return
      closed = true
      earlyCandidates = []
      early = []
      connection.onicecandidate = null
      connection.ontrack = null
      connection.oniceconnectionstatechange = null
      connection.onconnectionstatechange = null
      for (const { track } of connection.getReceivers()) {
        track.onunmute = null
        track.stop()
      }
      connection.close()
    },
  }
}

function asInit({ candidate, sdpMid, sdpMLineIndex, usernameFragment }: Candidate): RTCIceCandidateInit {
  return {
    candidate,
    sdpMid: sdpMid ?? null,
    sdpMLineIndex: sdpMLineIndex ?? null,
    usernameFragment: usernameFragment ?? null,
  }
}

function isChromium(): boolean {
  return /Chrom(?:e|ium)\//.test(navigator.userAgent)
}
