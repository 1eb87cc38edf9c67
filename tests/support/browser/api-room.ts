import { inject } from 'vitest'
import type { Script, SeenRequest } from '../../browser/workers/scripted-answer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    apiServer: string
  }
}

/** A corner of the real test server that answers by this script alone. */
export async function openRoom(script: Script) {
  const baseUrl = `${inject('apiServer')}/${crypto.randomUUID()}`
  await fetch(`${baseUrl}/`, { method: 'PUT', body: JSON.stringify(script) })

  async function seen(path?: string): Promise<SeenRequest[]> {
    const all = (await (await fetch(`${baseUrl}/`)).json()) as SeenRequest[]
    return path === undefined ? all : all.filter((request) => request.path === path)
  }

  /** Sends out the answers that are held. */
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

/** The form that a request carried. */
export function formOf(request: SeenRequest): Promise<FormData> {
  const bytes = Uint8Array.from(atob(request.body), (character) => character.charCodeAt(0))
  return new Response(bytes, { headers: { 'content-type': request.headers['content-type'] ?? '' } }).formData()
}
