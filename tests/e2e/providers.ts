import { startFakeService } from '../support/fakes/fake-service.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { test } from './people.ts'

const inAnHour = Math.floor(Date.now() / 1000) + 3600

/** With a server whose users sign in with Google or Facebook, both of which are fakes: a token is its user's e-mail address. */
export const withProviders = test.extend<{ site: string }>({
  // Playwright derives the needed fixtures from the destructuring pattern.
  site: async ({ browserName: _ }, use) => {
    let facebookUser = ''
    const provider = await startFakeService((path, query) => {
      const email = query.get('access_token') ?? ''
      if (path === '/tokeninfo')
        return { body: { aud: 'our-client', sub: email, exp: String(inAnHour), email, email_verified: 'true' } }
      if (path === '/debug_token') {
        facebookUser = query.get('input_token') ?? ''
        return { body: { data: { app_id: 'our-app', is_valid: true, user_id: '7' } } }
      }
      return { body: { id: '7', email: facebookUser } }
    })
    const server = await startServerProcess({
      GOOGLE_CLIENT_ID: 'our-client',
      GOOGLE_TOKENINFO_URL: `${provider.url}/tokeninfo`,
      FACEBOOK_APP_ID: 'our-app',
      FACEBOOK_APP_SECRET: 'app-secret',
      FACEBOOK_GRAPH_URL: provider.url,
    })
    await use(server.url)
    await server.stop()
    await provider.close()
  },
})
