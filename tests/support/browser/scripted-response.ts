/** How the test server handles one request. `status` defaults to 200; `json` is sent as JSON, `text` unchanged. */
export type ScriptedResponse = {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** A body of this number of zero bytes. */
  bytes?: number
  /** Never responds, closes the connection 'at-once' or 'half-way' through the body, or sends something that is no HTTP. */
  fault?: 'never' | 'at-once' | 'half-way' | 'no-http'
  /** Sent only when the room is released. */
  held?: boolean
}

/** By path relative to the room's base URL: the responses to the first, second, ... request; the last one repeats. */
export type Script = Record<string, ScriptedResponse[]>

export type SeenRequest = {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  /** Base64. */
  body: string
  /** The client closed the connection before it received the response. */
  gaveUp: boolean
}
