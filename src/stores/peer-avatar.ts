import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react'
import { toAppError } from '#protocol/errors.ts'
import type { CallState } from '../domain/call-state.ts'
import type { Api, Log } from '../domain/ports.ts'
import { webpBlob } from './webp-blob.ts'

export type PeerAvatarStore = ReturnType<typeof createPeerAvatarStore>

type Ports = {
  api: Api
  log: Log
  state: ReadonlySignal<CallState>
  /** True while the browser or the user wants little data. */
  isSaver: ReadonlySignal<boolean>
  /** Runs a task when the page has nothing else to do. */
  whenIdle: (task: () => void) => void
  urls: { make(blob: Blob): string; revoke(url: string): void }
}

/** The id of the match whose messages of the setup are through, so that a request delays none of them; null otherwise. */
function settledMatch(state: CallState): string | null {
  if (state.phase === 'in-call') return state.matchId
  const isThrough = state.phase === 'connecting' && (state.awaits === 'connection' || state.awaits === 'picture')
  return isThrough ? state.matchId : null
}

/** The profile picture of the peer, for as long as the match goes on. */
export function createPeerAvatarStore({ api, log, state, isSaver, whenIdle, urls }: Ports) {
  const url = signal<string | null>(null)
  const match = computed(() => settledMatch(state.value))

  async function load(session: string, ended: AbortSignal): Promise<void> {
    if (ended.aborted) return
    try {
      const { picture } = await api.request('readMatchPicture', { session }, ended)
      if (picture !== null && !ended.aborted) url.value = urls.make(webpBlob(picture))
    } catch (thrown) {
      // The default picture is shown.
      if (!ended.aborted && toAppError(thrown).code !== 'not-found')
        log.error("The peer's profile picture could not be read", thrown)
    }
  }

  effect(() => {
    const session = match.value
    if (session === null || isSaver.peek()) return
    const ended = new AbortController()
    whenIdle(() => void load(session, ended.signal))
    return () => {
      ended.abort()
      const shown = url.peek()
      url.value = null
      if (shown !== null) urls.revoke(shown)
    }
  })

  return {
    /** An object URL, revoked at the end of the match; null if there is no picture to show. */
    url: url as ReadonlySignal<string | null>,
  }
}
