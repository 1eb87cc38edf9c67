/** How the test server treats one request. `status` defaults to 200, a `json` body goes out as JSON, `text` as it is. */
export type ScriptedAnswer = {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** A body of so many zero bytes. */
  bytes?: number
  /** 'never' answers, closes the connection 'at-once', or 'half-way' through the body, or speaks no HTTP at all. */
  fault?: 'never' | 'at-once' | 'half-way' | 'no-http'
  /** Goes out only when the room is released. */
  held?: boolean
}

/** By path below the script's base: what the first, second, ... request of one address gets; the last one stays. */
export type Script = Record<string, ScriptedAnswer[]>

export type SeenRequest = {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  /** Base64. */
  body: string
  /** The client closed the connection before it had its answer. */
  gaveUp: boolean
}
