import { expect } from '@playwright/test'
import { sizedList } from '../../scripts/test-limits.ts'
import type { Watched } from '../support/browser/keep-connections.ts'
import type { TcpProxy } from '../support/servers/tcp-proxy.ts'
import { CANVAS_NOISE, PRIVATE_WINDOWS } from './firefox.ts'
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

/** Lets the Caller restart ICE so often over a slow hub, so that the peer's addresses arrive after Chromium has opened its own new ports. */
async function expectRestarts(
  network: Pick<TcpProxy, 'delay'>,
  { fox, chris, caller }: Record<'fox' | 'chris' | 'caller', Somebody>,
  times = 1,
) {
  network.delay(200)
  for (let time = 0; time < times; time += 1) {
    const before = await ownSession(fox)
    // A change of the network during a restart asks for none.
    const changeNetwork = async () => {
      await caller.evaluate(() => dispatchEvent(new Event('online')))
      return ownSession(fox)
    }
    await expect.poll(changeNetwork).not.toBe(before)
    await expect.poll(async () => (await peerSession(chris)) === (await ownSession(fox))).toBe(true)
    for (const somebody of [fox, chris]) await expectCall(somebody)
  }
  network.delay(0)
}

// What axe finds does not differ between engines: screens.test.ts runs it. One start of Firefox has both settings.
test('a user signs in and out in a private window of Firefox that turns pictures into noise, and is told of it', async ({
  openFirefox,
  server,
}) => {
  const fox = await openFirefox([], { ...PRIVATE_WINDOWS, ...CANVAS_NOISE })
  await fox.open(server.url)
  await expectText(fox, 'Sign in with Google')
  const popup = await fox.pressForWindow('Sign in with Google')
  for (const [label, text] of Object.entries({ 'E-mail': 'fox@example.org', 'First name': 'Fox', 'Last name': 'T' }))
    await popup.locator(`aria/${label}[role="textbox"]`).fill(text)
  await popup.locator('aria/Continue[role="button"]').click()
  await fox.fill('Nickname', 'Fox')
  await fox.press('Confirm')
  await fox.press('Accept')
  await expectText(fox, 'Start video chat')
  // Calls show that the camera's picture is not black: what is read here is noise.
  await expectPlaying(fox.lookAtCamera)

  await fox.reload()
  await expectText(fox, 'Start video chat')
  expect(fox.path()).toBe('/dashboard')
  await expectText(fox, 'Your browser turns pictures into noise')
  await fox.press('Hi, Fox')
  await fox.press('Edit profile')
  await fox.press('Use the camera')
  await fox.press('Take the picture')
  await expectText(fox, 'Allow this page to read canvases, and choose again.')
  await fox.press('Cancel')
  await fox.press('Logout')
  await expectText(fox, 'Sign in with Facebook')
  await fox.reload()
  await expectText(fox, 'Sign in with Facebook')
})

test('Firefox as the Caller and as the Callee of Chromium: call, chat, switches, devices, ICE restarts, and a match right after a report', async ({
  arriveInFirefox,
  arriveInChromium,
  network,
}) => {
  const chris = await arriveInChromium('Chris')
  const fox = await arriveInFirefox('Fox')

  await test.step('the device check', async () => {
    await fox.press('Camera and sound')
    await fox.press('Check my camera and connection')
    for (const text of [
      'Your camera works if you see yourself.',
      'only direct calls are possible',
      'Play a tune to test',
    ])
      await expectText(fox, text)
    await fox.press('Close')
    await fox.press('Done')
  })

  await test.step('the Caller', async () => {
    await meet(chris, fox)
    expect(await peerDescription(fox)).toBe('answer')
    await expectTalk(chris, fox)
    await expectCameraSwitch(fox, chris)
    await expectMicrophoneSwitch(fox, chris)

    await fox.press('Camera and sound')
    const devices = () => fox.evaluate(() => [...document.querySelectorAll('option')].map(({ text }) => text))
    await expect.poll(devices).toContain('Default Video Device')
    await fox.press('Done')
    await expectRestarts(network, { fox, chris, caller: fox }, 2)
  })

  const nora = await arriveInChromium('Nora')
  await test.step('the Callee, in the same tab', async () => {
    await chris.press('Exit')
    await expectText(fox, 'You are the only one here right now.')
    await nora.press('Start video chat')
    for (const somebody of [fox, nora]) await expectCall(somebody)
    expect(await peerDescription(fox)).toBe('offer')
    await expectTalk(nora, fox)
    await expectCameraSwitch(nora, fox)
    await expectRestarts(network, { fox, chris: nora, caller: nora })
  })

  await test.step('a report, and the next match right after it', async () => {
    await chris.press('Start video chat')
    await expectText(chris, 'You are the only one here right now.')
    await fox.press('Report User')
    await fox.press('Ok')
    await expectText(nora, 'Warning: You Have Been Reported')
    for (const somebody of [fox, chris]) await expectCall(somebody)
    await expectTalk(fox, chris)
  })
})

// Firefox in both roles is what the calls with Chromium show.
for (const title of sizedList([], ['Firefox with Firefox: call, chat, camera off, and Next']))
  test(title, async ({ arriveInFirefox }) => {
    const fox = await arriveInFirefox('Fox')
    const vix = await arriveInFirefox('Vix')
    await meet(fox, vix)
    await expectTalk(fox, vix)
    await expectCameraSwitch(fox, vix)
    await vix.press('Next match')
    await expectText(fox, 'Vix has left the chat.')
    for (const somebody of [fox, vix]) await expectCall(somebody)
  })
