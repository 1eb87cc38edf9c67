import { type ReadonlySignal, signal } from '@preact/signals-react'
import { MINUTE_MS } from '#protocol/durations.ts'
import type { FileInput } from '#protocol/endpoint.ts'
import type { StoredProfile } from '#protocol/rest.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/ports.ts'
import { browserKeys } from '../../platform/rules/browser-keys.ts'
import type { NicknameRefusal } from '../rules/nickname-refusal.ts'
import type { FirstAnswers } from '../rules/start-up.ts'

export type UserPorts = {
  storage: Storage<Blob>
  log: Log
  fetchPicture: (url: string) => Promise<Blob>
  clock: Pick<Clock, 'now'>
}

export type User = ReturnType<typeof createUser>

/** What this page and the storage of this browser hold about the user. */
export function createUser(ports: UserPorts) {
  const email = signal('')
  const nickName = signal('')
  const profile = signal<StoredProfile | null>(null)
  const nicknameRefusal = signal<NicknameRefusal | null>(null)
  const picture = createOwnPicture(ports)
  const first = createFirstAnswers(ports.clock.now)
  return {
    email,
    nickName,
    profile,
    nicknameRefusal,
    picture,
    first,

    /** Clears what this page holds about the user. */
    forget(): void {
      picture.forget()
      email.value = ''
      nickName.value = ''
      profile.value = null
      nicknameRefusal.value = null
      first.forget()
    },

    /** Clears the user's stored data in this browser, but not the choices that belong to the browser. Never rejects. */
    async clearStored(): Promise<void> {
      try {
        await ports.storage.clear(browserKeys)
      } catch (thrown) {
        ports.log.error('What is stored of the user was not cleared', thrown)
      }
    },
  }
}

/** Age above which data of the start is not shown: the dashboard may open long after the start. */
const FRESH_MS = MINUTE_MS

/** The start's data for the dashboard; `take` returns each part once. */
function createFirstAnswers(now: () => number) {
  let answers: FirstAnswers = {}
  let at = 0
  return {
    keep(next: FirstAnswers): void {
      answers = next
      at = now()
    },
    take<Name extends keyof FirstAnswers>(name: Name): NonNullable<FirstAnswers[Name]> | null {
      const { [name]: answer, ...others } = answers
      answers = others as FirstAnswers
      return now() - at < FRESH_MS ? ((answer ?? null) as NonNullable<FirstAnswers[Name]> | null) : null
    },
    forget(): void {
      answers = {}
    },
  }
}

const PICTURE_KEY = 'profilePicture'

/** The user's own profile picture, which this browser stores. */
function createOwnPicture({ storage, log, fetchPicture }: UserPorts) {
  const url = signal<string | null>(null)
  let shown: Blob | null = null
  /** Number of the current user: a picture that arrives late is not shown to the next user. */
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

  return {
    /** An object URL; null if there is no picture. */
    url: url as ReadonlySignal<string | null>,
    /** The shown picture as a file to upload; null if there is none. */
    file: (): FileInput | null => shown && { blob: shown, fileName: fileName(shown.type) },

    /** Shows and stores a picture; null removes it. */
    take,

    /** Fetches and stores the provider's picture. With an empty address there is none. Never rejects. */
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
        const stored = await storage.get(PICTURE_KEY)
        if (own === users) show(stored instanceof Blob ? stored : null)
      } catch (thrown) {
        log.error('The profile picture could not be read', thrown)
      }
    },

    /** Removes the picture from the screen; `clearStored` removes the stored one. */
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
