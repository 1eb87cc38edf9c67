import { describe, expect, test } from 'vitest'
import {
  bothSeePictures,
  closeBoth,
  deliver,
  openPair,
  openSide,
  prepareTests,
  soundPackets,
  story,
  usedUserNameFragment,
  userNameFragment,
} from './peers.ts'

const shared = prepareTests()

describe('an ICE restart', () => {
  test('keeps the pictures flowing over new credentials', async () => {
    const pair = openPair(shared.local)
    await bothSeePictures(pair)
    const before = [pair.caller, pair.callee].map(({ connection }) => userNameFragment(connection.localDescription))

    pair.caller.peer.restartIce()
    for (const [index, { connection }] of [pair.caller, pair.callee].entries()) {
      await expect.poll(() => userNameFragment(connection.currentLocalDescription)).not.toBe(before[index])
    }
    await expect.poll(() => pair.caller.connection.iceConnectionState).toMatch(/connected|completed/)
    await bothSeePictures(pair)
    closeBoth(pair)
  })

  test('in mid-call, several times, brings the pictures over the new addresses', async () => {
    const pair = openPair(shared.local)
    await bothSeePictures(pair)
    for (let times = 0; times < 3; times += 1) {
      const answers = story(pair.callee).filter((word) => word === 'answer').length
      const before = [pair.caller, pair.callee].map(({ connection }) => userNameFragment(connection.localDescription))
      pair.caller.peer.restartIce()
      await expect.poll(() => story(pair.callee).filter((word) => word === 'answer').length).toBe(answers + 1)
      await expect.poll(() => userNameFragment(pair.caller.connection.localDescription)).not.toBe(before[0])
      await expect.poll(() => pair.caller.connection.signalingState).toBe('stable')
      // Frames of before the restart still arrive over the old addresses until both sides have changed.
      for (const { connection } of [pair.caller, pair.callee]) {
        const now = userNameFragment(connection.localDescription)
        expect(before).not.toContain(now)
        await expect.poll(() => usedUserNameFragment(connection)).toBe(now)
      }
      await bothSeePictures(pair)
      for (const { connection } of [pair.caller, pair.callee]) {
        const sound = await soundPackets(connection)
        await expect.poll(() => soundPackets(connection)).toBeGreaterThan(sound + 20)
        await expect.poll(() => connection.connectionState).toBe('connected')
      }
    }
    expect([...story(pair.caller), ...story(pair.callee)].filter((word) => word.startsWith('fault'))).toEqual([])
    closeBoth(pair)
  })

  test('requested while the answer is under way waits for that answer', async () => {
    const pair = openPair(shared.local)
    pair.caller.peer.restartIce()
    await expect.poll(() => story(pair.callee).filter((word) => word === 'answer').length).toBe(2)
    await bothSeePictures(pair)
    expect(story(pair.caller).filter((word) => word === 'offer')).toHaveLength(2)
    closeBoth(pair)
  })

  test('is not paired with an answer from before it that arrives once more', async () => {
    const answers: string[] = []
    let offers = 0
    const caller = openSide('Caller', shared.local, (signal) => {
      if (signal.type === 'description') {
        offers += 1
        if (offers === 2) for (const answer of answers) caller.peer.accept(answer)
      }
      deliver(signal, callee.peer)
    })
    const callee = openSide('Callee', shared.local, (signal) => {
      if (signal.type === 'description') answers.push(signal.data)
      deliver(signal, caller.peer)
    })
    const pair = { caller, callee }
    await bothSeePictures(pair)
    caller.peer.restartIce()
    await expect.poll(() => answers.length).toBe(2)
    await expect
      .poll(() => userNameFragment(caller.connection.currentRemoteDescription))
      .toBe(userNameFragment(callee.connection.currentLocalDescription))
    await bothSeePictures(pair)
    closeBoth(pair)
  })

  test('whose candidates arrive before its answer still connects', async () => {
    let isRestart = false
    const caller = openSide('Caller', shared.local, (signal) => deliver(signal, callee.peer))
    const callee = openSide('Callee', shared.local, (signal) => {
      if (!isRestart || signal.type === 'candidate') deliver(signal, caller.peer)
      else
        callee.connection.onicegatheringstatechange = () => {
          if (callee.connection.iceGatheringState === 'complete') deliver(signal, caller.peer)
        }
    })
    const pair = { caller, callee }
    await bothSeePictures(pair)
    isRestart = true
    const before = userNameFragment(caller.connection.remoteDescription)
    caller.peer.restartIce()
    await expect.poll(() => userNameFragment(caller.connection.remoteDescription)).not.toBe(before)
    await expect.poll(() => callee.connection.iceConnectionState).toMatch(/connected|completed/)
    await bothSeePictures(pair)
    expect([...story(caller), ...story(callee)].filter((word) => word.startsWith('fault'))).toEqual([])
    closeBoth(pair)
  })

  test('over a hub that is slower than the network takes both sides to their new addresses', async () => {
    const afterHub = (task: () => void) => setTimeout(task, 100)
    const caller = openSide('Caller', shared.local, (signal) => afterHub(() => deliver(signal, callee.peer)))
    const callee = openSide('Callee', shared.local, (signal) => afterHub(() => deliver(signal, caller.peer)))
    const pair = { caller, callee }
    await bothSeePictures(pair)
    const before = userNameFragment(caller.connection.currentLocalDescription)
    caller.peer.restartIce()
    await expect.poll(() => userNameFragment(caller.connection.currentLocalDescription)).not.toBe(before)
    for (const { connection } of [caller, callee])
      await expect.poll(() => usedUserNameFragment(connection)).toBe(userNameFragment(connection.localDescription))
    await bothSeePictures(pair)
    closeBoth(pair)
  })

  test('opens no new addresses before its answer, which would be paired with the old ones', async () => {
    const answers: string[] = []
    const caller = openSide('Caller', shared.local, (signal) => deliver(signal, callee.peer))
    const callee = openSide('Callee', shared.local, (signal) => {
      if (signal.type === 'description') answers.push(signal.data)
      if (signal.type === 'candidate' || answers.length < 2) deliver(signal, caller.peer)
    })
    const pair = { caller, callee }
    await bothSeePictures(pair)
    const before = userNameFragment(caller.connection.localDescription)
    caller.peer.restartIce()
    await expect.poll(() => answers.length).toBe(2)
    expect(userNameFragment(caller.connection.localDescription)).toBe(before)
    caller.peer.accept(answers[1] ?? '')
    await expect.poll(() => userNameFragment(caller.connection.currentLocalDescription)).not.toBe(before)
    await expect
      .poll(() => usedUserNameFragment(callee.connection))
      .toBe(userNameFragment(callee.connection.localDescription))
    await bothSeePictures(pair)
    closeBoth(pair)
  })
})
