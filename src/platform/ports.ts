import type { EndpointInput, EndpointName, EndpointOutput } from '#protocol/rest.ts'

/** The browser's AbortSignal, whose type is not available in this layer. */
type Signal = { readonly aborted: boolean }

export interface Api {
  /** Sends one request. Resolves with the parsed response. Rejects with `aborted` when `signal` aborts. */
  request<N extends EndpointName>(name: N, input: EndpointInput<N>, signal?: Signal): Promise<EndpointOutput<N>>
}

/** A persistent key-value store for strings and blobs. If it is unavailable, reads resolve with undefined. */
export interface Storage<Blob> {
  get(key: string): Promise<Blob | string | undefined>
  set(key: string, value: Blob | string): Promise<void>
  /** Deletes every value except those of the `kept` keys. */
  clear(kept: readonly string[]): Promise<void>
}

export interface PageState {
  hidden(): boolean
  /** Calls `listener` when the page is shown or hidden, for the lifetime of the page. */
  onVisibility(listener: () => void): void
  /** Returns the ms that this thread spent in tasks over 50 ms since the last call; 0 if the browser does not tell. */
  takeLongTaskMs(): number
}

/** Tells whether a page should keep itself up to date. */
export interface PageAttention {
  /** `offline`: visible, but the browser is known to be offline. */
  state(): 'awake' | 'hidden' | 'offline'
  /** Calls `listener` when the state may have changed. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
}

/** `match`: a match was found. `message`: a chat message arrived. */
export type Sound = 'match' | 'message'
export type PlaySound = (sound: Sound) => void
