import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { FileInput } from '#protocol/endpoint.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/ports.ts'

const PICTURE_KEY = 'profilePicture'

type Ports = {
  storage: Pick<Storage<Blob>, 'get' | 'set'>
  log: Log
  fetchPicture: (url: string) => Promise<Blob>
}

/** The user's own profile picture, which this browser stores. */
export function createOwnPicture({ storage, log, fetchPicture }: Ports) {
  const url = signal<string | null>(null)
  let shown: Blob | null = null
  /** Counts the users, so that a picture which arrives late is not shown as that of the next one. */
  let users = 0

  function show(blob: Blob | null): void {
    const old = url.peek()
    shown = blob
    url.value = blob ? URL.createObjectURL(blob) : null
    if (old) URL.revokeObjectURL(old)
  }

  async function take(blob: Blob | null): Promise<void> {
    show(blob)
    const failed = (thrown: unknown) => log.error('The profile picture could not be kept', thrown)
    await storage.set(PICTURE_KEY, blob ?? '').catch(failed)
  }

  async function stored(): Promise<Blob | null> {
    const value = await storage.get(PICTURE_KEY)
    return value instanceof Blob ? value : null
  }

  return {
    /** An object URL; null if there is no picture. */
    url: url as ReadonlySignal<string | null>,
    /** The shown picture as a file to upload; null if there is none. */
    file: (): FileInput | null => shown && { blob: shown, fileName: fileName(shown.type) },

    /** Shows and stores a picture; null removes it. */
    take,

    /** Fetches and stores the provider's picture; an empty address is that of none. Never rejects. */
    async keep(address: string): Promise<void> {
      if (address === '') return
      const own = users
      try {
        const blob = await fetchPicture(address)
        if (own === users) await take(blob)
      } catch (thrown) {
        log.error('The profile picture could not be fetched', thrown)
      }
    },

    /** Shows the stored picture. Never rejects. */
    async restore(): Promise<void> {
      const own = users
      try {
        const blob = await stored()
        if (own === users) show(blob)
      } catch (thrown) {
        log.error('The profile picture could not be read', thrown)
      }
    },

    /** Removes the picture from the screen; what is stored goes with the rest of the user's data. */
    forget(): void {
      users += 1
      show(null)
    },
  }
}

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
  'image/vnd.microsoft.icon': 'ico',
}

function fileName(type: string): string {
  return `profile.${extensions[type] ?? 'img'}`
}
