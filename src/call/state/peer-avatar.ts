import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react'
import { toAppError } from '#protocol/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'
import { webpBlob } from '../../platform/state/webp-blob.ts'
import { type CallState, isMatched } from '../rules/call-state.ts'

export type PeerAvatarStore = ReturnType<typeof createPeerAvatarStore>

type Ports = {
  api: Api
  log: Log
  state: ReadonlySignal<CallState>
  /** True while the browser or the user wants to save data. */
  isSaver: ReadonlySignal<boolean>
  urls: { make(blob: Blob): string; revoke(url: string): void }
}

/** The profile picture of the peer during a match. */
export function createPeerAvatarStore({ api, log, state, isSaver, urls }: Ports) {
  const url = signal<string | null>(null)
  /** Set from the match on, since the search page already shows the picture during the setup. */
  const match = computed(() => (isMatched(state.value) ? state.value.matchId : null))

  async function load(session: string, ended: AbortSignal): Promise<void> {
    try {
      const { picture } = await api.request('readMatchPicture', { session }, ended)
      if (picture !== null && !ended.aborted) url.value = urls.make(webpBlob(picture))
    } catch (thrown) {
      // On an error the default picture is shown.
      if (!ended.aborted && toAppError(thrown).code !== 'not-found')
        log.error("The peer's profile picture could not be read", thrown)
    }
  }

  effect(() => {
    const session = match.value
    if (session === null || isSaver.peek()) return
    const ended = new AbortController()
    void load(session, ended.signal)
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
