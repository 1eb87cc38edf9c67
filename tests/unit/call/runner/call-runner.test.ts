import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PUBLIC_STUN_URLS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import { searching, visit } from '../../../support/call/call-visit.ts'
import { waitFor } from '../../../support/wait-for.ts'

describe('preparing', () => {
  test('joins the queue with the ids of blocked and earlier matched users, each once', async () => {
    const { hub } = await searching()
    expect(hub.invoked).toEqual([['InitiateMatchingWithPeers', 'own', '["x","y"]']])
  })

  test('asks for the status and for both lists without an e-mail address', async () => {
    const asked: unknown[] = []
    const noted =
      <T>(answer: T) =>
      (input: unknown) => {
        asked.push(input)
        return answer
      }
    await searching({
      readBlockStatus: noted({ status: 'Valid' as const }),
      readBlockList: noted([]),
      readMatchedIds: noted({ matchedEmailIds: [] }),
    })
    expect(asked).toEqual([{}, {}, {}])
  })

  test('lists that cannot be loaded are empty, a missing TURN response falls back to public STUN', async () => {
    const fail = () => Promise.reject(new AppError('timeout'))
    const { hub, peers, log } = await searching({ readBlockList: fail, readMatchedIds: fail, readTurn: fail })
    hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    expect(hub.invoked[0]).toEqual(['InitiateMatchingWithPeers', 'own', '[]'])
    expect(peers[0]?.servers).toEqual([{ urls: PUBLIC_STUN_URLS }])
    expect(log.errors).toHaveLength(3)
  })

  test.each(['Appeal', 'InReview', 'Blocked'] as const)(
    'a user in state %s is brought to the dashboard',
    async (status) => {
      const { call, went, hub } = visit({ readBlockStatus: () => ({ status }) })
      call.dispatch({ type: 'started' })
      await waitFor(() => expect(went).toEqual(['/dashboard']))
      expect(hub.names()).toEqual([])
    },
  )

  test('a status that cannot be read brings to the dashboard with a message', async () => {
    const { call, went, stores } = visit({ readBlockStatus: () => Promise.reject(new AppError('timeout')) })
    call.dispatch({ type: 'started' })
    await waitFor(() => expect(went).toEqual(['/dashboard']))
    expect(stores.toasts.popup.value).not.toBeNull()
  })
})

describe('a match', () => {
  let all: Awaited<ReturnType<typeof searching>>
  beforeEach(async () => {
    all = await searching()
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
  })

  test('introduces the user and makes the offer', () => {
    expect(all.hub.names()).toEqual([
      'InitiateMatchingWithPeers',
      'HandleUserNickNameAndUserEmailIdToPeer',
      'HandleMatchedEmailIds',
    ])
    expect(all.peers[0]?.did).toEqual(['Caller'])
  })

  test('signalling of another match does not reach the peer connection', () => {
    all.hub.emit('OnAnswerReceived', 'old', 'a')
    all.hub.emit('OnIceCandidate', 'old', 'c')
    all.hub.emit('OnAnswerReceived', 's', 'a')
    all.hub.emit('OnIceCandidate', 's', 'c')
    expect(all.peers[0]?.did).toEqual(['Caller', 'accept a', 'candidate c'])
  })

  test('candidates reach the peer connection before and after the description, in the setup and in the call', () => {
    all.hub.emit('OnIceCandidate', 's', 'c1')
    all.hub.emit('OnAnswerReceived', 's', 'a')
    all.hub.emit('OnIceCandidate', 's', 'c2')
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.hub.emit('OnIceCandidate', 's', 'c3')
    expect(all.peers[0]?.did).toEqual(['Caller', 'candidate c1', 'accept a', 'candidate c2', 'candidate c3'])
    expect(all.call.phase.value).toBe('in-call')
  })

  test('candidates of a match that is over reach no peer connection, and are not sent', async () => {
    const [first] = all.peers
    first?.emit({ type: 'candidate', data: 'own' })
    const sent = () => all.hub.invoked.filter(([name]) => name === 'HandleIceCandidate')
    expect(sent()).toEqual([['HandleIceCandidate', 's', 'peer', 'own']])
    all.hub.emit('SessionTerminated', 's')
    all.hub.emit('OnIceCandidate', 's', 'late')
    first?.emit({ type: 'candidate', data: 'late' })
    await waitFor(() => expect(all.peers).toHaveLength(2))
    all.hub.emit('OnUserMatched', 'Callee', 's2', 'peer2')
    all.hub.emit('OnIceCandidate', 's', 'later')
    first?.emit({ type: 'candidate', data: 'later' })
    expect(all.peers.map(({ did }) => did)).toEqual([['Caller', 'close'], ['Callee']])
    expect(sent()).toHaveLength(1)
  })

  test('candidates reach no peer connection while a report is written after the call', () => {
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.call.dispatch({ type: 'report-opened' })
    all.hub.emit('SessionTerminated', 's')
    expect(all.call.phase.value).toBe('reporting')
    all.hub.emit('OnIceCandidate', 's', 'late')
    all.peers[0]?.emit({ type: 'candidate', data: 'late' })
    expect(all.peers[0]?.did).toEqual(['Caller', 'close'])
    expect(all.hub.names()).not.toContain('HandleIceCandidate')
  })

  test('reports events that the machine ignores: of another match, or in a phase without a transition', () => {
    all.ignored.length = 0
    all.hub.emit('OnAnswerReceived', 'old', 'a')
    all.call.dispatch({ type: 'next-pressed' })
    all.hub.emit('OnAnswerReceived', 's', 'a')
    expect(all.ignored).toEqual(['description-received in connecting', 'next-pressed in connecting'])
  })

  test('opens the chat when the video arrives, and reports it to the server', () => {
    all.peers[0]?.emit({ type: 'video-arrived' })
    expect(all.went).toEqual(['/chat'])
    expect(all.stores.visit.flags.value.navigationToVideoCallPage).toBe(true)
    expect(all.hub.names().at(-1)).toBe('UpdateWebRtcConnectionSuccessStatus')
  })

  const ends = ['OnMatchedSessionTerminationRequested', 'InitiateMatchingWithPeers']

  test('without an answer in 20 seconds searches again, and the log names what was missing', () => {
    all.clock.advance(19_999)
    expect(all.call.phase.value).toBe('connecting')
    all.clock.advance(1)
    expect(all.call.phase.value).toBe('searching')
    expect(all.hub.names().slice(-2)).toEqual(ends)
    expect(all.peers[0]?.did).toEqual(['Caller', 'close'])
    expect(all.stores.toasts.popup.value).toMatchObject({
      text: 'toasts.peer-left',
      values: { nickName: 'toasts.unnamed-peer' },
    })
    expect(all.log.errors).toContain('WebRTC session timed out: no answer')
  })

  test('with a slow answer still has the 20 seconds of the match', () => {
    all.clock.advance(11_000)
    all.hub.emit('OnAnswerReceived', 's', 'a')
    all.clock.advance(8_999)
    expect(all.call.phase.value).toBe('connecting')
    all.clock.advance(1)
    expect(all.call.phase.value).toBe('searching')
    expect(all.log.errors).toContain('WebRTC session timed out: no connection')
  })

  test('a peer connection without a picture is given up', () => {
    all.hub.emit('OnAnswerReceived', 's', 'a')
    all.peers[0]?.emit({ type: 'connection', state: 'connected' })
    all.clock.advance(20_000)
    expect(all.call.phase.value).toBe('searching')
    expect(all.log.errors).toContain('WebRTC session timed out: no picture')
  })

  test('chat of another match is not shown', () => {
    all.hub.emit('OnChatMessage', 'old', 'x', 'm1')
    all.hub.emit('OnChatMessage', 's', 'y', 'm2')
    expect(all.chat.receive.mock.calls).toEqual([['y', 'm2']])
  })

  test('a peer of another match does not type here, and a message ends the typing', () => {
    const { peerTyped, forgetPeer } = all.stores.typing
    all.hub.emit('OnPeerTyping', 'old')
    expect(peerTyped).not.toHaveBeenCalled()
    all.hub.emit('OnPeerTyping', 's')
    expect(peerTyped).toHaveBeenCalledOnce()
    all.hub.emit('OnChatMessage', 'old', 'x', 'm1')
    expect(forgetPeer).not.toHaveBeenCalled()
    all.hub.emit('OnChatMessage', 's', 'y', 'm2')
    expect(forgetPeer).toHaveBeenCalledOnce()
  })

  test('the peer of a call is told of typing, until the hub does not know the method', async () => {
    const info = vi.spyOn(all.log, 'info')
    const typed = () => all.hub.invoked.filter(([name]) => name === 'HandleTyping')
    all.runner.tellTyping()
    expect(typed()).toEqual([])
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.runner.tellTyping()
    expect(typed()).toEqual([['HandleTyping', 's', 'peer']])
    all.hub.refuse('HandleTyping', 'too-many-requests')
    all.runner.tellTyping()
    await waitFor(() => expect(info).toHaveBeenCalledWith('HandleTyping was refused: too-many-requests'))
    all.hub.refuse('HandleTyping', 'not-found')
    all.runner.tellTyping()
    await waitFor(() => expect(info).toHaveBeenCalledWith('HandleTyping was refused: not-found'))
    all.runner.tellTyping()
    expect(typed()).toHaveLength(3)
  })

  test('a new search knows no number of others until the hub tells it', () => {
    all.hub.emit('OnQueueSize', 4)
    expect(all.stores.search.others.value).toBe(4)
    all.hub.emit('SessionTerminated', 's')
    expect([all.call.phase.value, all.stores.search.others.value]).toEqual(['searching', null])
  })

  test('a hub that gives up ends the search, not a call', () => {
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.hub.state('gave-up', null)
    expect(all.call.phase.value).toBe('in-call')
    all.hub.emit('SessionTerminated', 's')
    all.hub.state('gave-up', null)
    expect(all.went.at(-1)).toBe('/dashboard')
  })

  test('a newer tab ends this one with a message', () => {
    all.hub.state('disconnected', 'replaced')
    expect(all.went).toEqual(['/dashboard'])
    expect(all.stores.toasts.popup.value?.text).toBe('toasts.replaced')
  })

  test('when the call pages are left, every timer is stopped', async () => {
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.call.dispatch({ type: 'left' })
    await all.runner.stop()
    expect(all.clock.waiting()).toBe(0)
    expect(all.peers[0]?.did.at(-1)).toBe('close')
  })
})

describe('the prepared peer', () => {
  test('is preceded by one warm-up of the browser', async () => {
    const all = await searching()
    all.stream.value = {} as MediaStream
    expect(all.warmUps()).toBe(1)
  })

  test('is used by the match, and replaced for the next search', async () => {
    const all = await searching()
    expect(all.peers.map(({ did }) => did)).toEqual([[]])
    all.hub.emit('OnUserMatched', 'Callee', 's', 'peer')
    expect(all.peers.map(({ did }) => did)).toEqual([['Callee']])
    all.hub.emit('SessionTerminated', 's')
    await waitFor(() => expect(all.peers.map(({ did }) => did)).toEqual([['Callee', 'close'], []]))
  })

  test('is replaced with fresh credentials after five minutes', async () => {
    let times = 0
    const all = await searching({
      readTurn: () => ({ turnUrl: '', username: '', credential: '', stunUrl: `stun:127.0.0.1:${++times}` }),
    })
    all.clock.advance(5 * 60_000)
    await waitFor(() => expect(all.peers.map(({ did }) => did)).toEqual([['unused'], []]))
    expect(all.peers.map(({ servers }) => servers)).toEqual([
      [{ urls: ['stun:127.0.0.1:1'] }],
      [{ urls: ['stun:127.0.0.1:2'] }],
    ])
  })

  test('and a call get fresh credentials before the old ones run out', async () => {
    let times = 0
    const all = await searching({
      readTurn: () => ({ turnUrl: '', username: '', credential: '', stunUrl: `stun:127.0.0.1:${++times}` }),
    })
    all.hub.emit('OnUserMatched', 'Callee', 's', 'peer')
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.clock.advance(5 * 60_000)
    await waitFor(() => expect(all.peers[0]?.did).toEqual(['Callee', 'servers stun:127.0.0.1:2']))
    all.hub.emit('SessionTerminated', 's')
    await waitFor(() => expect(all.peers).toHaveLength(2))
    expect(all.peers[1]?.servers).toEqual([{ urls: ['stun:127.0.0.1:2'] }])
  })

  test('ends the search when the relays are gone and the user hides the own address', async () => {
    let hasRelay = true
    const relay = { turnUrl: 'turn:127.0.0.1:3478', username: 'u', credential: 'c', stunUrl: '' }
    const all = visit({ readTurn: () => (hasRelay ? relay : { ...relay, turnUrl: '' }) })
    all.relayOnly.value = true
    all.call.dispatch({ type: 'started' })
    await waitFor(() => expect(all.call.phase.value).toBe('searching'))
    expect(all.peers[0]?.relayOnly).toBe(true)
    hasRelay = false
    all.clock.advance(5 * 60_000)
    await waitFor(() => expect(all.went).toEqual(['/dashboard']))
  })

  test('follows the camera, and so does a call', async () => {
    const all = await searching()
    all.stream.value = {} as MediaStream
    expect(all.peers.map(({ did }) => did)).toEqual([['unused'], []])
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    all.stream.value = {} as MediaStream
    expect(all.peers[1]?.did).toEqual(['Caller', 'replace'])
    expect(all.peers).toHaveLength(2)
  })

  test('is not made without a relay when the user hides the own address', async () => {
    const all = visit()
    all.relayOnly.value = true
    all.call.dispatch({ type: 'started' })
    await waitFor(() => expect(all.went).toEqual(['/dashboard']))
    expect(all.stores.toasts.popup.value?.text).toBe('toasts.relay-unavailable')
    expect(all.peers).toEqual([])
  })

  test('is closed when the search ends', async () => {
    const all = await searching()
    all.call.dispatch({ type: 'cancel-pressed' })
    await all.runner.stop()
    expect(all.peers.map(({ did }) => did)).toEqual([['unused']])
    expect(all.clock.waiting()).toBe(0)
    all.stream.value = {} as MediaStream
    expect(all.peers).toHaveLength(1)
  })
})

describe('a report', () => {
  test('takes the picture of the peer when the dialog opens, and sends it with the report', async () => {
    const { hub, peers, call, stores } = await searching()
    hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    const remote = {} as MediaStream
    peers[0]?.emit({ type: 'remote-stream', stream: remote })
    peers[0]?.emit({ type: 'video-arrived' })
    call.dispatch({ type: 'report-opened' })
    expect(stores.devices.keepEvidence).toHaveBeenCalledWith(remote)
    call.dispatch({ type: 'report-chosen', report: 'ReportOnly' })
    expect(stores.devices.sendEvidence).toHaveBeenCalledWith(expect.objectContaining({ userSessionId: 's1' }), remote)
    expect(hub.names()).toContain('HandleReportedUser')
  })

  test('that is not made forgets the picture, and so does the end of the call', async () => {
    const { hub, peers, call, stores } = await searching()
    hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    peers[0]?.emit({ type: 'video-arrived' })
    call.dispatch({ type: 'report-opened' })
    call.dispatch({ type: 'report-dropped' })
    expect(stores.devices.forgetEvidence).toHaveBeenCalledTimes(1)
    hub.emit('SessionTerminated', 's')
    expect(stores.devices.forgetEvidence).toHaveBeenCalledTimes(2)
  })
})

describe('a call that breaks', () => {
  async function inCall(role: 'Caller' | 'Callee') {
    const all = await searching()
    all.hub.emit('OnUserMatched', role, 's', 'peer')
    all.peers[0]?.emit({ type: 'connection', state: 'connected' })
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.readings.push({ framesDecoded: 1 }, { framesDecoded: 2 })
    for (let second = 0; second < 2; second += 1) await pass(all, 1_000)
    expect(all.stores.call.health.value).toBe('well')
    return all
  }

  async function pass({ clock }: { clock: { advance(ms: number): void } }, ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      clock.advance(Math.min(left, 1_000))
      await Promise.resolve()
      await Promise.resolve()
      await Promise.resolve()
    }
  }

  test('is restarted by the Caller at once when the network changes', async () => {
    const all = await inCall('Caller')
    all.changeNetwork()
    expect(all.peers[0]?.did).toEqual(['Caller', 'restart'])
    expect(all.stores.call.health.value).toBe('broken')
  })

  test('is not offered anew by the Callee, so that two offers never meet', async () => {
    const all = await inCall('Callee')
    all.changeNetwork()
    all.peers[0]?.emit({ type: 'connection', state: 'failed' })
    expect(all.peers[0]?.did).toEqual(['Callee'])
  })

  test('is restarted when no media arrives for five seconds, and well again when it does', async () => {
    const all = await inCall('Caller')
    all.readings.push(...Array.from({ length: 6 }, () => ({ framesDecoded: 2 })))
    await pass(all, 6_000)
    expect(all.peers[0]?.did).toEqual(['Caller', 'restart'])
    all.readings.push({ framesDecoded: 3 })
    await pass(all, 1_000)
    expect(all.stores.call.health.value).toBe('well')
  })

  test('is sampled every second, after ten perfect samples every other second, and every second again when it is worse', async () => {
    const all = await inCall('Caller')
    const take = vi.mocked(all.stores.quality.take)
    const read = async (seconds: number) => {
      const before = take.mock.calls.length
      all.readings.push(...Array.from({ length: seconds }, (_, index) => ({ framesDecoded: before + index + 10 })))
      await pass(all, seconds * 1_000)
      all.readings.length = 0
      return take.mock.calls.length - before
    }
    take.mockReturnValue(true)
    expect(await read(10)).toBe(10)
    expect(await read(10)).toBe(5)
    take.mockReturnValue(false)
    await read(2)
    expect(await read(6)).toBe(6)
  })

  test('is given up after three restarts without success, with a message', async () => {
    const all = await inCall('Caller')
    all.hub.emit('OnPeerNickNameAndEmailIdReceived', 'Béla', 'alias', 'alias')
    all.peers[0]?.emit({ type: 'connection', state: 'failed' })
    all.readings.push(...Array.from({ length: 40 }, () => ({ framesDecoded: 2 })))
    for (let second = 0; second < 40 && all.call.phase.peek() === 'in-call'; second += 1) await pass(all, 1_000)
    expect(all.peers[0]?.did).toEqual(['Caller', 'restart', 'restart', 'restart', 'close'])
    expect(all.call.phase.value).toBe('searching')
    expect(all.stores.toasts.popup.value).toMatchObject({
      text: 'toasts.connection-lost',
      values: { nickName: 'Béla' },
    })
    expect(all.hub.names()).toContain('OnMatchedSessionTerminationRequested')
  })
})

describe('when the hub is lost', () => {
  let all: Awaited<ReturnType<typeof searching>>
  beforeEach(async () => {
    all = await searching()
    all.hub.invoked.length = 0
  })

  function inCall(): void {
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    all.peers[0]?.emit({ type: 'video-arrived' })
    all.hub.invoked.length = 0
  }

  test('a search is taken up by the new connection, and not disturbed where the old one goes on', () => {
    all.hub.lose()
    all.hub.comeBack('own')
    expect(all.hub.names()).toEqual([])
    all.hub.lose()
    all.hub.comeBack('own2')
    expect(all.hub.invoked).toEqual([['InitiateMatchingWithPeers', 'own2', '["x","y"]']])
  })

  test('signalling that was left in doubt is sent again, once and in order, before later signals', async () => {
    all.hub.emit('OnUserMatched', 'Caller', 's', 'peer')
    all.hub.invoked.length = 0
    all.hub.goAway()
    const { emit } = all.peers[0] ?? { emit: () => {} }
    emit({ type: 'description', kind: 'offer', data: 'o' })
    emit({ type: 'candidate', data: 'c1' })
    all.hub.lose()
    emit({ type: 'candidate', data: 'c2' })
    all.hub.invoked.length = 0
    // Lets the rejections arrive.
    await Promise.resolve()
    all.hub.comeBack('own2')
    const again = [
      ['HandleOffer', 's', 'peer', 'o'],
      ['HandleIceCandidate', 's', 'peer', 'c1'],
      ['HandleIceCandidate', 's', 'peer', 'c2'],
    ]
    await waitFor(() => expect(all.hub.invoked).toEqual(again))
    expect(all.call.phase.value).toBe('connecting')
  })

  test('chat that was written meanwhile is delivered when the hub is back', async () => {
    inCall()
    all.hub.goAway()
    const first = all.runner.deliver('YQ==', 'm1')
    all.hub.lose()
    const second = all.runner.deliver('Yg==', 'm2')
    await Promise.resolve()
    all.hub.comeBack('own2')
    await Promise.all([first, second])
    expect(all.hub.invoked.filter(([name]) => name === 'SendChatMessageToPeer')).toEqual(
      ['m1', 'm1', 'm2'].map((id) => ['SendChatMessageToPeer', 's', 'peer', id === 'm1' ? 'YQ==' : 'Yg==', id]),
    )
  })

  test('chat is not delivered once the hub was given up, the call goes on, and Reconnect starts the hub again', async () => {
    inCall()
    all.hub.lose()
    const written = all.runner.deliver('YQ==', 'm1')
    all.hub.state('gave-up', 'hub-unavailable')
    await expect(written).rejects.toMatchObject({ code: 'hub-unavailable' })
    await expect(all.runner.deliver('Yg==', 'm2')).rejects.toMatchObject({ code: 'hub-unavailable' })
    expect(all.call.phase.value).toBe('in-call')
    all.call.dispatch({ type: 'reconnect-pressed' })
    await waitFor(() => expect(all.stores.hub.state.value).toBe('connected'))
    await all.runner.deliver('Yg==', 'm2')
    expect(all.hub.invoked).toEqual([['SendChatMessageToPeer', 's', 'peer', 'Yg==', 'm2']])
  })

  test('a report and the end of a match wait for the hub, chat of that match does not', async () => {
    inCall()
    all.clock.advance(10_000)
    all.hub.lose()
    const written = all.runner.deliver('YQ==', 'm1')
    all.call.dispatch({ type: 'report-chosen', report: 'ReportOnly' })
    await expect(written).rejects.toMatchObject({ code: 'aborted' })
    all.hub.invoked.length = 0
    all.hub.comeBack('own2')
    expect(all.hub.invoked).toEqual([
      ['HandleReportedUser', 'own2', 'peer', 'ReportOnly', 's'],
      ['OnMatchedSessionTerminationRequested', 's', 'own2'],
      ['InitiateMatchingWithPeers', 'own2', '["x","y"]'],
    ])
  })

  test('Next after the hub was given up starts it again and searches', async () => {
    inCall()
    all.clock.advance(10_000)
    all.hub.state('gave-up', 'hub-unavailable')
    all.hub.client.start = async () => all.hub.comeBack('own2')
    all.call.dispatch({ type: 'next-pressed' })
    await waitFor(() => expect(all.hub.names()).toContain('InitiateMatchingWithPeers'))
    expect(all.call.phase.value).toBe('searching')
    expect(all.hub.names().filter((name) => name === 'InitiateMatchingWithPeers')).toHaveLength(1)
  })

  test('a reported user still sees the warning', () => {
    inCall()
    all.hub.emit('OnUserReportedByPeer', 's')
    all.hub.state('gave-up', 'hub-unavailable')
    expect(all.call.phase.value).toBe('warned')
  })

  test('an invocation that the hub never completes is not sent for ever', async () => {
    inCall()
    all.hub.goAway()
    const written = all.runner.deliver('YQ==', 'm1')
    const refused = expect(written).rejects.toMatchObject({ code: 'not-delivered' })
    for (const id of ['a', 'b', 'c', 'd']) {
      all.hub.lose()
      await Promise.resolve()
      await Promise.resolve()
      all.hub.comeBack(id, false)
    }
    await refused
    expect(all.hub.names().filter((name) => name === 'SendChatMessageToPeer')).toHaveLength(4)
  })

  test('no invocation of an earlier visit is sent in the next one', async () => {
    inCall()
    all.clock.advance(10_000)
    all.hub.lose()
    all.call.dispatch({ type: 'exit-pressed' })
    await all.runner.stop()
    all.hub.invoked.length = 0
    all.call.dispatch({ type: 'started' })
    await waitFor(() => expect(all.call.phase.value).toBe('searching'))
    expect(all.hub.names()).toEqual(['InitiateMatchingWithPeers'])
  })

  test('a blocked user is led to the dashboard without a notice of a lost connection', () => {
    inCall()
    all.hub.state('disconnected', 'blocked')
    expect(all.went.at(-1)).toBe('/dashboard')
    expect(all.stores.toasts.popup.value).toBeNull()
  })
})

test('a chat message outside a call is not delivered', async () => {
  const { runner } = visit()
  await expect(runner.deliver('eA==', 'm1')).rejects.toMatchObject({ code: 'not-delivered' })
})
