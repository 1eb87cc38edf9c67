import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { probeRelay, watchLight } from '../../../src/devices/io/device-check.ts'
import { createConnectionCheck } from '../../../src/devices/state/connection-check.ts'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { playSound } from '../../../src/platform/io/play-sound.ts'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { render } from '../../support/browser/render.tsx'
import { recordOpened } from '../../support/browser/what-is-left.ts'

/** Addresses of documentation, where nobody answers. */
const turnUrl = ['turn:192.0.2.1', 'turn:192.0.2.1?transport=tcp', 'turns:192.0.2.1?transport=tcp'].join(',')

const check = page.getByRole('dialog', { name: 'Camera and connection check' })
const { RTCPeerConnection: Peer, AudioContext: Audio } = window

afterEach(() => void vi.unstubAllGlobals())

/** Opens the check with the browser's own connections, sound and pictures, and keeps what it makes. */
async function visit(relay: Promise<void> = Promise.resolve()) {
  const connections: RTCPeerConnection[] = []
  const sounds: AudioContext[] = []
  const ended: AudioContext[] = []
  class KeptPeer extends Peer {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      connections.push(this)
    }
  }
  class KeptAudio extends Audio {
    constructor() {
      super()
      sounds.push(this)
    }

    override close(): Promise<void> {
      ended.push(this)
      return super.close()
    }
  }
  vi.stubGlobal('RTCPeerConnection', KeptPeer)
  vi.stubGlobal('AudioContext', KeptAudio)
  const connectionCheck = createConnectionCheck({
    api: {
      request: (async () => {
        await relay
        return { turnUrl, username: 'one', credential: 'secret', stunUrl: '' }
      }) as never,
    },
    log: { info: () => {}, error: () => {} },
    play: playSound,
    probe: probeRelay,
    strength: () => ({ cores: 8, memoryGb: null }),
    watchLight,
  })
  const fake = fakeStores()
  await fake.signIn()
  render({ ...fake.stores, loadCheck: async () => connectionCheck }, <DashboardPage />)
  await page.getByRole('button', { name: 'Camera and sound' }).click()
  const opened = recordOpened()
  return { connections, sounds, ended, opened }
}

async function open(): Promise<void> {
  await page.getByRole('button', { name: 'Check my camera and connection' }).click()
  await expect.element(check).toBeVisible()
}

async function close(): Promise<void> {
  await userEvent.keyboard('{Escape}')
  await expect.element(check).not.toBeInTheDocument()
}

test('closed in the middle of the tune and of the probes, the check leaves nothing', async () => {
  const { connections, sounds, ended, opened } = await visit()
  await open()
  await check.getByRole('button', { name: 'Play a tune' }).click()
  await expect.poll(() => connections.length).toBe(3)
  expect(sounds).toHaveLength(1)
  expect(opened.left().join()).toContain('interval')
  await close()
  expect(connections.map(({ signalingState }) => signalingState)).toEqual(['closed', 'closed', 'closed'])
  expect(ended).toEqual(sounds)
  expect(opened.left()).toEqual([])
  opened.restore()
})

test('closed before the relay is known, the check opens no connection', async () => {
  const relay = Promise.withResolvers<void>()
  const { connections, opened } = await visit(relay.promise)
  await open()
  await close()
  relay.resolve()
  await open()
  await expect.poll(() => connections.length).toBe(3)
  await close()
  expect(opened.left()).toEqual([])
  opened.restore()
})

test('a check that begins again ends the one before', async () => {
  const { connections, opened } = await visit()
  await open()
  await expect.poll(() => connections.length).toBe(3)
  await check.getByRole('button', { name: 'Check again' }).click()
  await expect.poll(() => connections.length).toBe(6)
  expect(connections.slice(0, 3).map(({ signalingState }) => signalingState)).toEqual(['closed', 'closed', 'closed'])
  await close()
  expect(opened.left()).toEqual([])
  opened.restore()
})
