import { signal } from '@preact/signals-react'
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { keepOffline } from '../../../src/app/offline.ts'

const { serviceWorker } = navigator
const path = signal('/dashboard')
const installed = Object.assign(new EventTarget(), { waiting: null }) as unknown as ServiceWorkerRegistration

let register: MockInstance<ServiceWorkerContainer['register']>
beforeEach(() => {
  register = vi.spyOn(serviceWorker, 'register').mockResolvedValue(installed)
})
afterEach(() => void vi.restoreAllMocks())

/** The stored choice is known after it was read. */
function picture(saves: boolean) {
  const isSaver = signal(false)
  return {
    isSaver,
    async restore() {
      isSaver.value = saves
    },
  }
}

test('the product is installed for use without a network', async () => {
  await keepOffline(path, picture(false))
  expect(register).toHaveBeenCalledOnce()
})

test('the data saver installs nothing, which would load every file of the product', async () => {
  vi.spyOn(serviceWorker, 'getRegistration').mockResolvedValue(undefined)
  await keepOffline(path, picture(true))
  expect(register).not.toHaveBeenCalled()
})

test('with the data saver, what is installed already goes on', async () => {
  vi.spyOn(serviceWorker, 'getRegistration').mockResolvedValue(installed)
  await keepOffline(path, picture(true))
  expect(register).toHaveBeenCalledOnce()
})
