import { inject } from 'vitest'
import type { Script, SeenRequest } from './scripted-response.ts'

declare module 'vitest' {
  interface ProvidedContext {
    apiServer: string
  }
}

/** Opens a base URL of its own on the test server, which responds there by `script`. */
export async function openRoom(script: Script) {
  const baseUrl = `${inject('apiServer')}/${crypto.randomUUID()}`
  await fetch(`${baseUrl}/`, { method: 'PUT', body: JSON.stringify(script) })

  async function seen(path?: string): Promise<SeenRequest[]> {
    const all = (await (await fetch(`${baseUrl}/`)).json()) as SeenRequest[]
    return path === undefined ? all : all.filter((request) => request.path === path)
  }

  /** Sends the held responses. */
  async function release(): Promise<void> {
    await fetch(`${baseUrl}/`, { method: 'POST' })
  }

  return { baseUrl, seen, release }
}

export function problem(status: number, code: string, more: Record<string, unknown> = {}) {
  return {
    status,
    json: { type: 'about:blank', title: code, status, code, ...more },
    headers: { 'content-type': 'application/problem+json' },
  }
}

/** Parses the form in a request's body. */
export function formOf(request: SeenRequest): Promise<FormData> {
  const bytes = Uint8Array.from(atob(request.body), (character) => character.charCodeAt(0))
  return new Response(bytes, { headers: { 'content-type': request.headers['content-type'] ?? '' } }).formData()
}
