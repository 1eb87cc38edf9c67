import { createServer, type Server } from 'node:http'
import { hosts } from './machine.ts'
import { CLIENT_ID } from './parts.ts'

/** Stands for Google: knows every token of the form `token-NAME`. */
export class Provider {
  #server: Server | null = null

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const token = new URL(request.url ?? '/', 'http://provider').searchParams.get('access_token') ?? ''
      const [, name] = /^token-(\w+)$/.exec(token) ?? []
      const exp = Math.floor(Date.now() / 1000) + 3600
      const email = `${name}@example.org`
      const known = { sub: name, aud: CLIENT_ID, exp, email, email_verified: 'true' }
      response.writeHead(name === undefined ? 400 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(name === undefined ? { error: 'invalid_token' } : known))
    })
    await new Promise<void>((resolve) => server.listen(8080, hosts.provider, resolve))
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    server?.closeAllConnections()
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)))
  }
}
