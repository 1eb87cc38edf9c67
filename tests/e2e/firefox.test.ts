import { expect } from '@playwright/test'
import type { Watched } from '../support/browser/keep-connections.ts'
import { expectCall, expectText, meet, type Somebody, test } from './firefox-people.ts'
import { expectBlack, expectPlaying } from './people.ts'

/** Resolves with the type of the newest description of the peer: the Caller's peer answers. */
function peerDescription({ evaluate }: Somebody): Promise<string | undefined> {
  return evaluate(
    () =>
      (globalThis as Watched).connections.findLast(({ connectionState }) => connectionState === 'connected')
        ?.remoteDescription?.type,
  )
}

/** Resolves with the loudest sample of the peer's sound in a tenth of a second. */
function loudness({ evaluate }: Somebody): Promise<number> {
  return evaluate(async () => {
    const video = document.querySelector<HTMLVideoElement>('video[aria-label="Peer video"]')
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(video?.srcObject as MediaStream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    let loudest = 0
    for (let times = 0; times < 5; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      analyser.getFloatTimeDomainData(samples)
      loudest = Math.max(loudest, ...samples)
    }
    await context.close()
    return loudest
  })
}

async function expectTalk(one: Somebody, other: Somebody): Promise<void> {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    await from.say(`Hello from ${from.nickName} 👋🏽`)
    await expectText(to, `Hello from ${from.nickName} 👋🏽`)
  }
}

/** Turns the camera off and on again, and expects that the peer sees it. */
async function expectCameraSwitch(one: Somebody, peer: Somebody): Promise<void> {
  const look = () => peer.look('Peer video')
  await one.press('Camera')
  await expectBlack(look)
  await one.press('Camera')
  await expectPlaying(look)
}

/** Turns the microphone off and on again, and expects that the peer in Chromium hears it: Firefox plays nothing without a loudspeaker. */
async function expectMicrophoneSwitch(one: Somebody, peer: Somebody): Promise<void> {
  await expect.poll(() => loudness(peer)).toBeGreaterThan(0.01)
  await one.press('Microphone')
  await expect.poll(() => loudness(peer)).toBeLessThan(0.001)
  await one.press('Microphone')
  await expect.poll(() => loudness(peer)).toBeGreaterThan(0.01)
}

for (const isPrivate of [false, true])
  test(`a user of Firefox signs in and out through the pages, in a private window: ${isPrivate}`, async ({
    openFirefox,
    server,
  }) => {
    const fox = await openFirefox([], { isPrivate })
    await fox.open(server.url)
    await expectText(fox, 'Sign in with Google')
    expect(await fox.axe()).toEqual([])
    const popup = await fox.pressForWindow('Sign in with Google')
    for (const [label, text] of Object.entries({ 'E-mail': 'fox@example.org', 'First name': 'Fox', 'Last name': 'T' }))
      await popup.locator(`aria/${label}[role="textbox"]`).fill(text)
    await popup.locator('aria/Continue[role="button"]').click()
    await fox.fill('Nickname', 'Fox')
    expect(await fox.axe()).toEqual([])
    await fox.press('Confirm')
    await fox.press('Accept')
    await expectText(fox, 'Start video chat')
    await expectPlaying(async () => ({ ...(await fox.look('My video')), frames: performance.now() }))

    await fox.reload()
    await expectText(fox, 'Start video chat')
    expect(fox.path()).toBe('/dashboard')
    expect(await fox.axe()).toEqual([])
    await fox.press('Hi, Fox')
    await fox.press('Logout')
    await expectText(fox, 'Sign in with Facebook')
    await fox.reload()
    await expectText(fox, 'Sign in with Facebook')
  })

test('Firefox as the Caller of Chromium: call, chat, switches, devices, and Next', async ({
  arriveInFirefox,
  arriveInChromium,
}) => {
  const chris = await arriveInChromium('Chris')
  const fox = await arriveInFirefox('Fox')
  await meet(chris, fox)
  expect(await peerDescription(fox)).toBe('answer')
  await expectTalk(chris, fox)
  await expectCameraSwitch(fox, chris)
  await expectMicrophoneSwitch(fox, chris)

  await fox.press('Camera and sound')
  const devices = () => fox.evaluate(() => [...document.querySelectorAll('option')].map(({ text }) => text))
  await expect.poll(devices).toContain('Default Video Device')
  expect(await fox.axe()).toEqual([])
  await fox.press('Done')

  await fox.press('Next match')
  await expectText(chris, 'Fox has left the chat.')
  for (const somebody of [chris, fox]) await expectCall(somebody)
})

test('Firefox as the Callee of Chromium: call, chat, camera off, and a match right after a report', async ({
  arriveInFirefox,
  arriveInChromium,
}) => {
  const fox = await arriveInFirefox('Fox')
  const chris = await arriveInChromium('Chris')
  await meet(fox, chris)
  expect(await peerDescription(fox)).toBe('offer')
  await expectTalk(chris, fox)
  await expectCameraSwitch(chris, fox)

  const next = await arriveInChromium('Nora')
  await next.press('Start video chat')
  await fox.press('Report User')
  await fox.press('Ok')
  await expectText(chris, 'Warning: You Have Been Reported')
  for (const somebody of [fox, next]) await expectCall(somebody)
  await expectTalk(fox, next)
})

test('Firefox with Firefox: call, chat, camera off, and Next', async ({ arriveInFirefox }) => {
  const fox = await arriveInFirefox('Fox')
  const vix = await arriveInFirefox('Vix')
  await meet(fox, vix)
  await expectTalk(fox, vix)
  await expectCameraSwitch(fox, vix)
  await vix.press('Next match')
  await expectText(fox, 'Vix has left the chat.')
  for (const somebody of [fox, vix]) await expectCall(somebody)
})

/** Resolves with the user name fragment of the page's own ICE session. */
function ownSession({ evaluate }: Somebody): Promise<string | undefined> {
  return evaluate(() => {
    const live = (globalThis as Watched).connections.findLast(({ connectionState }) => connectionState === 'connected')
    return /^a=ice-ufrag:(\S+)/m.exec(live?.localDescription?.sdp ?? '')?.[1]
  })
}

/** Resolves with that of the peer's ICE session, as far as this page knows. */
function peerSession({ evaluate }: Somebody): Promise<string | undefined> {
  return evaluate(() => {
    const live = (globalThis as Watched).connections.findLast(({ connectionState }) => connectionState === 'connected')
    return /^a=ice-ufrag:(\S+)/m.exec(live?.remoteDescription?.sdp ?? '')?.[1]
  })
}

for (const role of ['Caller', 'Callee'] as const)
  test(`a call goes on after ICE restarts with Firefox as the ${role} and a slow hub`, async ({
    arriveInFirefox,
    arriveInChromium,
    network,
  }) => {
    const fox = await arriveInFirefox('Fox')
    const chris = await arriveInChromium('Chris')
    const [callee, caller] = role === 'Caller' ? [chris, fox] : [fox, chris]
    await meet(callee, caller)
    // The peer's addresses arrive after Chromium has opened its own new ports.
    network.delay(200)
    for (let times = 0; times < 3; times += 1) {
      const before = await ownSession(fox)
      // A change of the network during a restart asks for none.
      const changeNetwork = async () => {
        await caller.evaluate(() => dispatchEvent(new Event('online')))
        return ownSession(fox)
      }
      await expect.poll(changeNetwork).not.toBe(before)
      await expect.poll(async () => (await peerSession(chris)) === (await ownSession(fox))).toBe(true)
      for (const somebody of [callee, caller]) await expectCall(somebody)
    }
    network.delay(0)
  })
