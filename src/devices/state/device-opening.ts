import { computed, type ReadonlySignal, signal } from '@preact/signals-react'
import { AppError } from '#protocol/errors.ts'
import type { Camera, CameraState, DeviceChange } from '../ports.ts'
import type { MediaTrouble } from '../rules/media-trouble.ts'
import { troubleIn } from './device-reopening.ts'
import type { LocalStream } from './local-stream.ts'

type Parts = {
  camera: Camera<MediaStream>
  local: LocalStream
  /** Opens camera and microphone. Rejects with `camera-refused`. */
  request: () => Promise<MediaStream>
  /** Resolves with the open stream when none of its devices is lost. */
  complete: () => Promise<MediaStream>
  opened: () => void
  changed: (what: DeviceChange) => void
}

/** Troubles that may end without an event of the browser. */
const mayPass: ReadonlySet<MediaTrouble | null> = new Set<MediaTrouble>(['busy', 'absent', 'system'])

/** Opens camera and microphone together. After a refusal tries again when its cause may be gone. */
export function createDeviceOpening({ camera, local, request, complete, opened, changed }: Parts) {
  const state = signal<CameraState>('unknown')
  const trouble = signal<MediaTrouble | null>(null)
  const allowed = signal(false)
  void camera.isAllowed().then((is) => {
    allowed.value = is
  })
  let opening: Promise<MediaStream> | null = null
  let isWanted = false
  /** The user has allowed the devices since the last request. A refusal that arrives later may be older. */
  let isAllowedSince = false
  let unsubscribe: (() => void) | null = null

  function devicesChanged(what: DeviceChange): void {
    if (what === 'permission') isAllowedSince = true
    if (state.peek() !== 'refused') changed(what)
    // A second refusal is visible in `state`.
    else if (what === 'permission' || mayPass.has(trouble.peek())) open().catch(() => {})
  }

  async function ask(): Promise<MediaStream> {
    isAllowedSince = false
    try {
      const stream = await request()
      if (!isWanted) {
        camera.close(stream)
        throw new AppError('aborted')
      }
      local.show(stream, ['video', 'audio'])
      state.value = 'granted'
      trouble.value = null
      opened()
      return stream
    } catch (thrown) {
      if (isWanted && isAllowedSince) return await ask()
      if (isWanted) {
        trouble.value = troubleIn(thrown)
        state.value = 'refused'
      }
      throw thrown
    } finally {
      opening = null
    }
  }

  function open(): Promise<MediaStream> {
    isWanted = true
    unsubscribe ??= camera.onDevices(devicesChanged)
    if (local.current.peek()) return complete()
    state.value = 'asking'
    opening ??= ask()
    return opening
  }

  return {
    state: state as ReadonlySignal<CameraState>,
    trouble: trouble as ReadonlySignal<MediaTrouble | null>,
    /** True if camera and microphone are open, or can be opened without the browser asking the user. */
    mayOpen: computed(() => local.current.value !== null || (allowed.value && state.value !== 'refused')),
    open,
    close(): void {
      isWanted = false
      unsubscribe?.()
      unsubscribe = null
      state.value = 'unknown'
      trouble.value = null
    },
  }
}
