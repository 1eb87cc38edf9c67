import { describe, expect, test, vi } from 'vitest'
import { server } from 'vitest/browser'
import { createPeerConnections } from '../../../../src/call/peer/peer-connections.ts'
import { nextTask } from '../../../../src/platform/io/later-tasks.ts'
import {
  bothSeePictures,
  closeBoth,
  deliver,
  framesDecoded,
  openCamera,
  openPair,
  openSide,
  type Pair,
  prepareTests,
  type Reported,
  soundPackets,
  story,
  takePair,
} from './peers.ts'

const shared = prepareTests()

describe('two peers', () => {
  test('receive each other’s video and audio, and each side reports every event once', async () => {
    const pair = openPair(shared.local)
    await bothSeePictures(pair)
    for (const side of [pair.caller, pair.callee]) {
      await expect.poll(() => story(side)).toContain('connected')
      expect(story(side).toSorted()).toEqual(
        [side === pair.caller ? 'offer' : 'answer', 'remote-stream', 'video-arrived', 'connected'].toSorted(),
      )
      const [stream] = side.reported.flatMap((event) => (event.type === 'remote-stream' ? [event.stream] : []))
      expect(
        stream
          ?.getTracks()
          .map(({ kind }) => kind)
          .toSorted(),
      ).toEqual(['audio', 'video'])
      stream?.getVideoTracks()[0]?.dispatchEvent(new Event('unmute'))
      expect(story(side).filter((word) => word === 'video-arrived')).toHaveLength(1)
    }
    closeBoth(pair)
  })

  test('start with a good picture: the peer’s description carries the start bitrate, the own one does not', async () => {
    const pair = openPair(shared.local)
    await bothSeePictures(pair)
    for (const { connection } of [pair.caller, pair.callee]) {
      expect(connection.remoteDescription?.sdp).toContain('x-google-start-bitrate=600')
      expect(connection.localDescription?.sdp).not.toContain('x-google-start-bitrate')
    }
    closeBoth(pair)
  })

  test.each<[string, Parameters<typeof openPair>[1]]>([
    [
      'candidates before their description',
      (signals) => signals.toSorted((one) => (one.type === 'candidate' ? -1 : 1)),
    ],
    ['everything in reverse', (signals) => signals.toReversed()],
    ['everything twice', (signals) => signals.flatMap((signal) => [signal, signal])],
    ['everything, and then everything again', (signals) => [...signals, ...signals]],
  ])('are connected when the signals arrive as: %s', async (_name, arrange) => {
    const pair = openPair(shared.local, arrange)
    await bothSeePictures(pair)
    expect(story(pair.caller).filter((word) => word === 'offer')).toHaveLength(1)
    expect(story(pair.callee).filter((word) => word === 'answer')).toHaveLength(1)
    expect([...story(pair.caller), ...story(pair.callee)].filter((word) => word.startsWith('fault'))).toEqual([])
    closeBoth(pair)
  })

  test('are connected although malformed signals arrive in between', async () => {
    const pair = openPair(shared.local)
    for (const { peer } of [pair.caller, pair.callee]) {
      peer.accept('no JSON')
      peer.accept('{"type":"answer","sdp":"v=0\\r\\nm=audio 9 x 0\\r\\nm=video 9 x 0\\r\\n"}')
      peer.addCandidate('{"candidate":7}')
    }
    pair.callee.peer.addCandidate('{"candidate":"candidate:nonsense","sdpMid":"0"}')
    await bothSeePictures(pair)
    const faults = pair.callee.reported.flatMap((event) => (event.type === 'fault' ? [event] : []))
    // Firefox ignores a candidate that it cannot read.
    const expected = server.browser === 'firefox' ? 2 : 3
    expect(faults.map(({ code }) => code)).toEqual(Array(expected).fill('peer-failed'))
    for (const { message } of faults) expect(message).not.toContain('nonsense')
    closeBoth(pair)
  })
})

describe('a description without video', () => {
  const withoutVideo = (data: string) => data.replace(/m=video[^"]*/, '')

  test('is not sent', async () => {
    const side = openSide('Caller', new MediaStream(shared.local.getAudioTracks()), () => {})
    await expect.poll(() => story(side)).toEqual(['fault offer-incomplete'])
    expect(side.connection.localDescription).toBeNull()
    side.peer.close()
  })

  test('is refused as an offer and as an answer', async () => {
    const caller = openSide('Caller', shared.local, (signal) => {
      if (signal.type === 'description') callee.peer.accept(withoutVideo(signal.data))
    })
    const callee = openSide('Callee', shared.local, () => {})
    await expect.poll(() => story(callee)).toEqual(['fault offer-incomplete'])
    expect(callee.connection.remoteDescription).toBeNull()

    const answering = openPair(shared.local)
    answering.caller.peer.accept(
      withoutVideo('{"type":"answer","sdp":"v=0\\r\\nm=audio 9 x 0\\r\\nm=video 9 x 0\\r\\n"}'),
    )
    await expect.poll(() => story(answering.caller)).toContain('fault offer-incomplete')
    closeBoth(answering)
    closeBoth({ caller, callee })
  })
})

test('a browser that refuses the order of codecs calls all the same', async () => {
  const refuse = vi.spyOn(RTCRtpTransceiver.prototype, 'setCodecPreferences').mockImplementation(() => {
    throw new DOMException('Not these', 'InvalidModificationError')
  })
  const codecs = RTCRtpReceiver.getCapabilities('video')?.codecs ?? []
  const peers = createPeerConnections(Promise.resolve(codecs))
  const reported: Reported[] = []
  const prepared = peers.prepare({ servers: [], local: shared.local, relayOnly: false })
  const peer = prepared.take('Caller', (event) => reported.push(event))
  await expect.poll(() => reported.some((event) => event.type === 'description')).toBe(true)
  expect(refuse).toHaveBeenCalled()
  peer.close()
  refuse.mockRestore()
})

test('servers that the browser refuses are reported as a fault, and the refused peer does nothing else', async () => {
  const reported: Reported[] = []
  const prepared = createPeerConnections().prepare({
    servers: [{ urls: ['http://not-a-stun-server'] }],
    local: shared.local,
    relayOnly: false,
  })
  const peer = prepared.take('Caller', (event) => reported.push(event))
  peer.restartIce()
  peer.close()
  await expect.poll(() => reported.map((event) => event.type === 'fault' && event.code)).toEqual(['peer-failed'])
})

describe('closing', () => {
  test('while the browser works on a description reports nothing of it', async () => {
    const { caller, callee } = openPair(shared.local)
    const real: (description?: RTCLocalSessionDescriptionInit) => Promise<void> =
      caller.connection.setLocalDescription.bind(caller.connection)
    const worked = Promise.withResolvers<void>()
    caller.connection.setLocalDescription = async (description) => {
      await real(description)
      caller.peer.close()
      queueMicrotask(worked.resolve)
    }
    await worked.promise
    await expect.poll(() => caller.connection.signalingState).toBe('closed')
    callee.peer.close()
    expect(story(caller)).toEqual([])
  })

  type Phase = [string, (pair: Pair) => Promise<void>]
  const phases: Phase[] = [
    ['opened', async () => {}],
    [
      'with the offer under way',
      async ({ caller }) => {
        await expect.poll(() => story(caller)).toContain('offer')
      },
    ],
    [
      'with the answer made',
      async ({ callee }) => {
        await expect.poll(() => story(callee)).toContain('answer')
      },
    ],
    [
      'connected',
      async ({ callee }) => {
        await expect.poll(() => story(callee)).toContain('connected')
      },
    ],
    [
      'in the call',
      async (pair) => {
        await bothSeePictures(pair)
      },
    ],
    [
      'restarting ICE',
      async (pair) => {
        await bothSeePictures(pair)
        pair.caller.peer.restartIce()
      },
    ],
  ]

  test.each(phases)('while %s leaves nothing alive and reports nothing more', async (_name, reach) => {
    const pair = await takePair(shared.local)
    await reach(pair)
    const remoteTracks = [pair.caller, pair.callee].flatMap(({ connection }) =>
      connection.getReceivers().map(({ track }) => track),
    )
    const stops = remoteTracks.map((track) => vi.spyOn(track, 'stop'))
    const before = [pair.caller, pair.callee].map(({ reported }) => reported.length)
    const signals = [...pair.caller.reported, ...pair.callee.reported]
    closeBoth(pair)
    closeBoth(pair)
    // Nothing is sent any more, although the connections close later.
    for (const { connection } of [pair.caller, pair.callee])
      await expect.poll(() => connection.getSenders().map(({ track }) => track)).toEqual([null, null])
    for (const signal of signals) {
      if (signal.type === 'description' || signal.type === 'candidate') deliver(signal, pair.callee.peer)
    }
    pair.caller.peer.restartIce()

    // Late events of the closed call would have come before another one stands.
    const next = openPair(shared.local)
    await bothSeePictures(next)
    closeBoth(next)

    expect([pair.caller, pair.callee].map(({ reported }) => reported.length)).toEqual(before)
    expect(remoteTracks.every(({ readyState, onunmute }) => readyState === 'ended' && onunmute === null)).toBe(true)
    // Tracks that are not stopped would stay in memory.
    for (const stop of stops) expect(stop).toHaveBeenCalledOnce()
    // Each side of the first call had prepared one for either role.
    expect(shared.made).toHaveLength(6)
    for (const made of shared.made) {
      await expect.poll(() => made.signalingState).toBe('closed')
      const { onicecandidate, ontrack, onconnectionstatechange, oniceconnectionstatechange } = made
      expect([onicecandidate, ontrack, onconnectionstatechange, oniceconnectionstatechange]).toEqual(
        Array(4).fill(null),
      )
    }
    expect(shared.local.getTracks().every(({ readyState }) => readyState === 'live')).toBe(true)
  })
})

test('a warm-up ends by itself, leaves no connection, and the camera stays open', async () => {
  await createPeerConnections().warmUp(shared.local)
  expect(shared.made).toHaveLength(2)
  await expect.poll(() => shared.made.map(({ signalingState }) => signalingState)).toEqual(['closed', 'closed'])
  expect(shared.local.getTracks().every(({ readyState }) => readyState === 'live')).toBe(true)
})

test('a prepared peer that is closed while it gathers closes for both roles', async () => {
  const prepared = createPeerConnections().prepare({ servers: [], local: shared.local, relayOnly: false })
  await expect.poll(() => shared.made.map(({ iceGatheringState }) => iceGatheringState)).toEqual(['complete', 'new'])
  prepared.close()
  await expect.poll(() => shared.made.map(({ signalingState }) => signalingState)).toEqual(['closed', 'closed'])
})

describe('prepared peers', () => {
  const options = () => ({ servers: [], local: shared.local, relayOnly: false })

  test('are opened after the task that asked for them, each in a task of its own', async () => {
    const { close } = createPeerConnections().prepare(options())
    const counts = [shared.made.length]
    while (shared.made.length < 2) {
      await nextTask()
      counts.push(shared.made.length)
    }
    expect([...new Set(counts)]).toEqual([0, 1, 2])
    close()
    await expect.poll(() => shared.made.map(({ signalingState }) => signalingState)).toEqual(['closed', 'closed'])
  })

  test('are not opened once they are not needed, and what a match needs is opened at once', async () => {
    const { prepare } = createPeerConnections()
    prepare(options()).close()
    const peer = prepare(options()).take('Callee', () => {})
    expect(shared.made).toHaveLength(1)
    // Those of a later search would have come after them.
    prepare(options())
    while (shared.made.length < 3) await nextTask()
    await nextTask()
    expect(shared.made).toHaveLength(3)
    peer.close()
  })
})

test('a camera that ends during a call stops the peer’s video, and its replacement brings it back', async () => {
  const first = await openCamera()
  const pair = openPair(first)
  await bothSeePictures(pair)
  const { connection } = pair.callee
  for (const track of first.getVideoTracks()) track.stop()
  const standsStill = async () => {
    const before = await framesDecoded(connection)
    await expect.poll(() => soundPackets(connection)).toBeGreaterThan((await soundPackets(connection)) + 20)
    return (await framesDecoded(connection)) === before
  }
  await expect.poll(standsStill).toBe(true)
  const second = await openCamera()
  await pair.caller.peer.replaceTracks(second)
  const seen = await framesDecoded(connection)
  await expect.poll(() => framesDecoded(connection)).toBeGreaterThan(seen + 5)
  expect(story(pair.callee).filter((word) => word.startsWith('fault'))).toEqual([])
  closeBoth(pair)
  for (const track of [...first.getTracks(), ...second.getTracks()]) track.stop()
})
