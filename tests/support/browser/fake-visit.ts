import { AppError, type ErrorCode } from '#protocol/errors.ts'
import type { EndpointInput, EndpointName, StoredProfile } from '#protocol/rest.ts'
import type { Api, Clock, Identity, Log } from '../../../src/domain/ports.ts'
import { createAccountStore } from '../../../src/stores/account.ts'
import { createNoticeStore } from '../../../src/stores/notices.ts'
import { createSessionStore } from '../../../src/stores/session.ts'
import type { Stores } from '../../../src/stores/stores.ts'
import { fakeStores } from './fake-stores.ts'

const ada: Identity = {
  source: 'Google',
  accessToken: 'token',
  emailAddress: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  profilePictureUrl: '',
}

type Given = {
  /** What the server knows of the person. */
  known?: StoredProfile
  /** Calls that fail, each with its code. */
  failing?: Partial<Record<EndpointName, ErrorCode>>
  /** What the provider's popup comes to. */
  identity?: () => Promise<Identity>
  /** Only Google is configured. */
  googleOnly?: boolean
}

/** The real stores of a visit; `sent` is what reached the API, in order. */
export function fakeVisit({ known, failing = {}, identity = async () => ada, googleOnly = false }: Given = {}) {
  const sent: { name: EndpointName; input: unknown }[] = []
  const waiting: (() => void)[] = []
  const clock: Clock = {
    now: () => 0,
    after(_ms, task) {
      waiting.push(task)
      return () => void waiting.splice(waiting.indexOf(task), 1)
    },
    every: () => () => {},
  }
  const log: Log = { info: () => {}, error: () => {} }
  const answers: Partial<Record<EndpointName, unknown>> = {
    readServerTime: { timestamp: 0 },
    readSession: { cookieValue: 'visit-1#existing' },
    readProfileCookie: { cookieValue: 'ada%40example.org#Ada#true' },
    addOauthUser: { message: 'Valid', profile: known ?? null },
  }
  const api: Api = {
    async request<N extends EndpointName>(name: N, input: EndpointInput<N>) {
      sent.push({ name, input })
      const code = failing[name]
      if (code) throw new AppError(code)
      return (answers[name] ?? { message: 'Valid' }) as never
    },
  }
  const session = createSessionStore()
  const notices = createNoticeStore(clock, log)
  const provider = async () => ({ signIn: identity })
  const account = createAccountStore(
    {
      api,
      log,
      storage: { get: async () => undefined, set: async () => {}, clear: async () => {} },
      providers: { Google: provider, Facebook: googleOnly ? null : provider },
      deviceInfo: () => Promise.reject(new AppError('unknown')),
      identify: () => {},
      fetchPicture: () => Promise.reject(new AppError('unknown')),
      keepChoices: () => () => {},
      now: clock.now,
    },
    session,
    notices,
  )
  const stores: Stores = { ...fakeStores().stores, session, notices, account }
  return {
    stores,
    sent,
    calls: (name: EndpointName) => sent.filter((call) => call.name === name),
    /** Lets everything that waits for its time happen. */
    timePasses: () => [...waiting].forEach((task) => void task()),
  }
}
