import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { type Candidate, candidateSchema, descriptionSchema, hasAudioAndVideo, type Role } from '#protocol/hub.ts'
import { parse } from '#protocol/parse.ts'
import { createSendShape, isChromium, type SendShape, type ShapeLimits } from './media-limits.ts'
import type { PeerReporter } from './peer-reporter.ts'
import { codecNames, preferCodecs } from './preferred-codecs.ts'
import { belowReflexive, hasUserNameFragment, withSoundProtection, withStartBitrate } from './sdp.ts'

/**
 * Start estimate of the bandwidth: the lowest with which the first frame of a 720p camera is 960 columns wide instead
 * of 1,280. A higher estimate fills the queue of a slow uplink.
 */
const START_KBIT_PER_SECOND = 600
/** Most descriptions of a peer that are kept, to limit their memory. */
const DESCRIPTIONS_KEPT = 20

/** Most candidates of a peer that are kept, to limit their memory. No call needs as many. */
const CANDIDATES_MAX = 200

const candidateTextSchema = v.pipe(v.string(), v.parseJson(), candidateSchema)
const descriptionTextSchema = v.pipe(v.string(), v.parseJson(), descriptionSchema)

type DescriptionType = 'offer' | 'answer'
type Options = { role: Role; codecs: Promise<RTCRtpCodec[]> }

/** Exchanges descriptions and candidates with the peer, one operation at a time. Failures are reported as faults. */
export function createNegotiation(connection: RTCPeerConnection, { role, codecs }: Options, reporter: PeerReporter) {
  const candidates = createEarlyCandidates(connection, reporter)
  const own = createOwnDescriptions(connection, reporter)
  const shape = createSendShape()
  const { enqueue, finished } = createOperations(reporter)
  const isRepeated = createRepetitionCheck()
  let restartWanted = false
  /** The sent offer of an ICE restart. It becomes the local description when its answer arrives. */
  let restartOffer: string | null = null

  async function setRemote(type: DescriptionType, sdp: string): Promise<void> {
    reporter.restart()
    // An answer already lists its codecs in the order in which they are used.
    const preferred = type === 'offer' ? await codecNames(codecs) : []
    const started = isChromium() ? withStartBitrate(sdp, START_KBIT_PER_SECOND, preferred) : sdp
    await connection.setRemoteDescription({ type, sdp: shape.inNew(started) })
    reporter.milestone('remote')
  }

  const isNegotiating = () => restartOffer !== null || connection.signalingState !== 'stable'

  async function reshape(): Promise<void> {
    if (!isNegotiating()) await renegotiate(connection, own, shape)
  }

  async function offerRestart(): Promise<void> {
    restartOffer = await own.offerRestart()
  }

  async function acceptAnswer(sdp: string): Promise<void> {
    const offer = restartOffer
    restartOffer = null
    if (offer !== null) await own.set('offer', offer)
    if (connection.signalingState !== 'have-local-offer') return
    await setRemote('answer', sdp)
    await candidates.apply()
    if (!restartWanted || reporter.isClosed()) return
    restartWanted = false
    await offerRestart()
  }

  async function acceptOffer(sdp: string): Promise<void> {
    await setRemote('offer', sdp)
    await preferCodecs(connection, codecs, reporter)
    await own.publish(await connection.createAnswer())
    await candidates.apply()
  }

  return {
    offer: () =>
      enqueue('The offer', async () => {
        await preferCodecs(connection, codecs, reporter)
        await own.publish(await connection.createOffer())
      }),

    accept: (data: string) =>
      enqueue("The peer's description", async () => {
        const { type, sdp } = parse(descriptionTextSchema, data)
        if (!hasAudioAndVideo(sdp)) throw new AppError('offer-incomplete', `The peer's ${type} lacks audio or video`)
        if (isRepeated(sdp)) return
        if (type === 'answer') await acceptAnswer(sdp)
        else if (role === 'Callee') await acceptOffer(sdp)
      }),

    addCandidate: (data: string) =>
      enqueue('A candidate', async () => {
        candidates.add(parse(candidateTextSchema, data))
        await candidates.apply()
      }),

    restartIce: () =>
      enqueue('The ICE restart', async () => {
        // A pending answer belongs to the earlier offer: an offer made now would be paired with that answer.
        restartWanted = isNegotiating()
        if (!restartWanted) await offerRestart()
      }),

    /** Applies the limits at once, or during a negotiation with the next description. */
    shape(limits: ShapeLimits): void {
      if (shape.change(limits)) enqueue('The shape of what is sent', reshape)
    },

    /** Makes libwebrtc measure the network: it sends a burst when a limit above its estimate is raised. */
    measure(): void {
      if (shape.raise()) enqueue('The measurement of the network', reshape)
    },

    /** Ends the negotiation. Resolves when the operation under way is done. */
    close(): Promise<void> {
      candidates.clear()
      return finished()
    },
  }
}

type OwnDescriptions = ReturnType<typeof createOwnDescriptions>

/** Sets and sends the descriptions of this side. */
function createOwnDescriptions(connection: RTCPeerConnection, { report, milestone, restart, isClosed }: PeerReporter) {
  function check(type: DescriptionType, sdp: string): void {
    if (!hasAudioAndVideo(sdp)) throw new AppError('offer-incomplete', `The own ${type} lacks audio or video`)
    milestone(type)
  }

  function send(type: DescriptionType, sdp: string): void {
    report({ type: 'description', kind: type, data: JSON.stringify({ type, sdp }) })
  }

  /** Sets the description with protected sound, or unchanged if that is refused. Resolves with what was set. */
  async function set(type: DescriptionType, sdp: string): Promise<string> {
    const better = withSoundProtection(sdp)
    try {
      await connection.setLocalDescription({ type, sdp: better })
      return better
    } catch (thrown) {
      if (better === sdp) throw thrown
      await connection.setLocalDescription({ type, sdp })
      return sdp
    }
  }

  return {
    set,

    async publish({ type, sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
      if (isClosed() || (type !== 'offer' && type !== 'answer')) return
      check(type, sdp)
      const described = await set(type, sdp)
      milestone('local')
      send(type, described)
    },

    /**
     * Sends an offer that becomes the local description only when its answer arrives. Resolves with the offer, or with
     * null if the connection is closed. If the offer were set at once, libwebrtc would pair the new addresses with the
     * peer's old ones and keep such a pair. Firefox responds to the checks of such a pair, but drops its media.
     */
    async offerRestart(): Promise<string | null> {
      restart()
      const { sdp = '' } = await connection.createOffer({ iceRestart: true })
      if (isClosed()) return null
      check('offer', sdp)
      send('offer', withSoundProtection(sdp))
      return sdp
    },
  }
}

/** Applies the peer's last description again, on this side alone: media and addresses of both sides stay the same. */
async function renegotiate(connection: RTCPeerConnection, own: OwnDescriptions, shape: SendShape): Promise<void> {
  const remote = connection.remoteDescription
  if (!remote) return
  const { type } = remote
  const sdp = shape.inCurrent(remote.sdp)
  try {
    if (type === 'answer') {
      await own.set('offer', (await connection.createOffer()).sdp ?? '')
      await connection.setRemoteDescription({ type, sdp })
    } else {
      await connection.setRemoteDescription({ type, sdp })
      await own.set('answer', (await connection.createAnswer()).sdp ?? '')
    }
  } catch (thrown) {
    await rollBack(connection)
    throw thrown
  }
}

/** Undoes a negotiation that failed halfway, since a later ICE restart would wait for its end. */
async function rollBack(connection: RTCPeerConnection): Promise<void> {
  const type = 'rollback'
  if (connection.signalingState === 'have-local-offer') await connection.setLocalDescription({ type })
  if (connection.signalingState === 'have-remote-offer') await connection.setRemoteDescription({ type })
}

/** Returns a check that is true for descriptions seen before. The hub may deliver a description twice, and late. */
function createRepetitionCheck() {
  const seen = new Set<string>()
  return (sdp: string): boolean => {
    if (seen.has(sdp)) return true
    const [oldest] = seen
    if (oldest !== undefined && seen.size >= DESCRIPTIONS_KEPT) seen.delete(oldest)
    seen.add(sdp)
    return false
  }
}

/** Runs one operation at a time, so that an offer and an answer that overlap cannot interleave. */
function createOperations({ isClosed, reportFault }: PeerReporter) {
  let queue = Promise.resolve()
  return {
    enqueue(operation: string, task: () => Promise<void>): void {
      queue = queue
        .then(() => (isClosed() ? undefined : task()))
        .catch((thrown: unknown) => reportFault(operation, thrown))
    },
    finished: () => queue,
  }
}

/** Holds the peer's candidates until a remote description with their ICE credentials is set. */
function createEarlyCandidates(connection: RTCPeerConnection, { reportFault }: PeerReporter) {
  let held: Candidate[] = []
  return {
    /** Adds a candidate; above CANDIDATES_MAX drops the oldest. */
    add(candidate: Candidate): void {
      if (held.length >= CANDIDATES_MAX) held.shift()
      held.push(candidate)
    },

    /** Gives the browser the candidates of the current remote description. Never rejects: a failure is reported. */
    async apply(): Promise<void> {
      const sdp = connection.remoteDescription?.sdp
      if (sdp === undefined) return
      const fits = ({ usernameFragment }: Candidate) => !usernameFragment || hasUserNameFragment(sdp, usernameFragment)
      const ready = held.filter(fits)
      held = held.filter((candidate) => !fits(candidate))
      await Promise.all(
        ready.map((candidate) =>
          connection.addIceCandidate(asInit(candidate)).catch((thrown: unknown) => reportFault('A candidate', thrown)),
        ),
      )
    },

    clear(): void {
      held = []
    },
  }
}

function asInit({ candidate, sdpMid, sdpMLineIndex, usernameFragment }: Candidate): RTCIceCandidateInit {
  return {
    candidate: belowReflexive(candidate),
    sdpMid: sdpMid ?? null,
    sdpMLineIndex: sdpMLineIndex ?? null,
    usernameFragment: usernameFragment ?? null,
  }
}
