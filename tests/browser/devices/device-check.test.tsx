import { signal } from '@preact/signals-react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { AppError } from '#protocol/errors.ts'
import { probeRelay } from '../../../src/devices/io/device-check.ts'
import { createConnectionCheck } from '../../../src/devices/state/connection-check.ts'
import type { DeviceStore } from '../../../src/devices/state/devices.ts'
import { DashboardPage } from '../../../src/lobby/screens/dashboard-page.tsx'
import { fakeStores } from '../../support/browser/fake-stores.ts'
import { render } from '../../support/browser/render.tsx'

const opener = page.getByRole('button', { name: 'Camera and sound' })
const starter = page.getByRole('button', { name: 'Check my camera and connection' })
const check = page.getByRole('dialog', { name: 'Camera and connection check' })
const part = (name: string) => check.getByRole('region', { name })

const turnUrl = ['turn:turn.invalid', 'turn:turn.invalid?transport=tcp', 'turns:turn.invalid?transport=tcp'].join(',')
const relay = { turnUrl, username: 'one', credential: 'secret', stunUrl: '' }

beforeEach(() => page.viewport(320, 640))

type Given = {
  open?: RegExp
  turn?: typeof relay | AppError
  cores?: number
  isDark?: boolean
  devices?: Partial<DeviceStore>
}

/** Opens the check in a network in which the relays with such addresses answer. */
async function visit({ open = /./, turn = relay, cores = 8, isDark = false, devices = {} }: Given = {}) {
  const fake = fakeStores()
  await fake.signIn()
  const played: string[] = []
  const stops: AbortSignal[] = []
  const connectionCheck = createConnectionCheck({
    api: {
      request: (async () => {
        if (turn instanceof AppError) throw turn
        return turn
      }) as never,
    },
    log: { info: () => {}, error: () => {} },
    play(sound) {
      played.push(sound)
      return () => void played.push('ended')
    },
    async probe(servers, stop) {
      stops.push(stop)
      return servers.every(({ urls }) => urls.every((url) => open.test(url)))
    },
    strength: () => ({ cores, memoryGb: null }),
    watchLight(_, listener) {
      listener(isDark)
      return () => {}
    },
  })
  const loadCheck = vi.fn(async () => connectionCheck)
  render({ ...fake.stores, devices: { ...fake.stores.devices, ...devices }, loadCheck }, <DashboardPage />)
  await opener.click()
  expect(loadCheck).not.toHaveBeenCalled()
  await starter.click()
  await expect.element(check).toBeVisible()
  return { ...fake, played, stops }
}

test('a network that lets everything through, a camera and a device that are well', async () => {
  await visit()
  for (const way of ['UDP', 'TCP', 'TLS'])
    await expect.element(part('Network')).toMatchTextContent(new RegExp(`${way}: gets through`))
  await expect.element(part('Network')).toMatchTextContent(/Calls get through your network\./)
  await expect.element(part('Camera')).toMatchTextContent(/Your camera works if you see yourself\./)
  await expect.element(part('Device')).toMatchTextContent(/8 cores/)
  expect(document.documentElement.scrollWidth).toBe(320)
})

test.each<[string, Given, string]>([
  ['without UDP', { open: /tcp/ }, 'Your network lets no UDP through.'],
  ['with a firewall', { open: /^$/ }, 'lets no call through to our relay'],
  ['of a service without a relay', { turn: { ...relay, turnUrl: '' } }, 'only direct calls are possible'],
  ['that is offline', { turn: new AppError('network-error') }, 'The network could not be checked.'],
])('a network %s: what helps is said', async (_, given, text) => {
  await visit(given)
  await expect.element(part('Network')).toMatchTextContent(new RegExp(text))
})

test('the speaker plays a tune, and the user says whether it was heard', async () => {
  const { played } = await visit()
  await part('Speaker').getByRole('button', { name: 'Play a tune' }).click()
  expect(played).toEqual(['match'])
  await part('Speaker').getByRole('button', { name: 'No, I heard nothing' }).click()
  await expect.element(part('Speaker')).toMatchTextContent(/Turn the volume up/)
})

test('a weak device and a camera that is off are named', async () => {
  const { stores } = await visit({ cores: 2 })
  await expect.element(part('Device')).toMatchTextContent(/may be too slow/)
  stores.devices.toggleCamera()
  await expect.element(part('Camera')).toMatchTextContent(/Your camera is off\./)
})

test('no camera and no microphone are named, and what helps', async () => {
  const stream = signal<MediaStream | null>(null)
  await visit({ devices: { stream } })
  await expect.element(part('Camera')).toMatchTextContent(/No picture comes from your camera\. Close other programs/)
  await expect.element(part('Microphone')).toMatchTextContent(/No microphone is open\. Plug one in/)
})

test('a covered camera sends a black picture', async () => {
  await visit({ isDark: true })
  await expect.element(part('Camera')).toMatchTextContent(/Your picture is black\. Uncover the camera/)
})

test('a microphone is silent until it is heard, and may be off', async () => {
  const context = new AudioContext()
  onTestFinished(() => context.close())
  const level = signal(0)
  const microphoneOn = signal(true)
  const stream = signal<MediaStream | null>(context.createMediaStreamDestination().stream)
  await visit({ devices: { stream, level, microphoneOn } })
  await expect.element(part('Microphone')).toMatchTextContent(/Nothing heard yet\..* choose another microphone/)
  microphoneOn.value = false
  await expect.element(part('Microphone')).toMatchTextContent(/Your microphone is off\. Switch it on during the call/)
  microphoneOn.value = true
  level.value = 0.5
  await expect.element(part('Microphone')).toMatchTextContent(/Your microphone hears you\./)
})

test('the check opens at its beginning, and the keyboard stays in it', async () => {
  await visit()
  await expect.element(check.getByRole('heading', { name: 'Camera and connection check' })).toBeInViewport()
  for (let times = 0; times < 8; times += 1) {
    await userEvent.tab()
    expect([document.body, ...document.querySelectorAll('dialog:last-of-type *')]).toContain(document.activeElement)
  }
})

test('Escape closes the check alone, and stops it', async () => {
  const { stops } = await visit()
  await expect.poll(() => stops.length).toBe(3)
  expect(stops.map(({ aborted }) => aborted)).toEqual([false, false, false])
  await userEvent.keyboard('{Escape}')
  await expect.element(check).not.toBeInTheDocument()
  await expect.element(page.getByRole('dialog', { name: 'Camera and sound' })).toBeVisible()
  await expect.element(starter).toHaveFocus()
  expect(stops.every(({ aborted }) => aborted)).toBe(true)
})

test('a relay that nobody answers for is not reached, and a stopped probe ends at once', async () => {
  const servers = [{ urls: ['turn:127.0.0.1:9?transport=tcp'], username: 'one', credential: 'secret' }]
  const stopping = new AbortController()
  const probing = probeRelay(servers, stopping.signal)
  stopping.abort()
  expect(await probing).toBe(false)
  expect(await probeRelay(servers, stopping.signal)).toBe(false)
})
