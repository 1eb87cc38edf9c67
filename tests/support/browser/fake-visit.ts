import { AppError, type ErrorCode } from '#protocol/errors.ts'
import type { EndpointInput, EndpointName, StoredProfile } from '#protocol/rest.ts'
import type { Start } from '#protocol/start.ts'
import type { Identity } from '../../../src/account/ports.ts'
import type { Stores } from '../../../src/app/stores.ts'
import type { Clock } from '../../../src/platform/clock.ts'
import type { Log } from '../../../src/platform/log.ts'
import type { Api } from '../../../src/platform/ports.ts'
import { createToastStore } from '../../../src/platform/state/toasts.ts'
import { createVisitStore } from '../../../src/platform/state/visit.ts'
import { startOf } from '../fakes/start-of.ts'
import { fakeAccount, fakeStores } from './fake-stores.ts'

const ada: Identity = {
  source: 'Google',
  accessToken: 'token',
  emailAddress: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  profilePictureUrl: '',
}

type Given = {
  /** The user's stored profile. */
  profile?: StoredProfile
  /** Endpoints whose requests fail, each with its code. */
  failing?: Partial<Record<EndpointName, ErrorCode>>
  /** The outcome of the provider's popup. */
  identity?: () => Promise<Identity>
  /** True if only Google is configured. */
  googleOnly?: boolean
  /** What the start of the visit answers otherwise than for a signed-in user. */
  start?: Partial<Start>
}

/** The real stores of a visit; `sent` lists the requests in order. */
export function fakeVisit({
  profile,
  failing = {},
  identity = async () => ada,
  googleOnly = false,
  start = {},
}: Given = {}) {
  const sent: { name: EndpointName; input: unknown }[] = []
  const waiting: (() => void)[] = []
  const clock: Clock = {
    now: Date.now,
    after(_ms, task) {
      waiting.push(task)
      return () => void waiting.splice(waiting.indexOf(task), 1)
    },
    every: () => () => {},
  }
  const log: Log = { info: () => {}, error: () => {} }
  const responses: Partial<Record<EndpointName, unknown>> = {
    readStart: startOf(start),
    readSession: { cookieValue: 'visit-1#existing' },
    addOauthUser: { message: 'Valid', profile: profile ?? null },
  }
  const api: Api = {
    async request<N extends EndpointName>(name: N, input: EndpointInput<N>) {
      sent.push({ name, input })
      const code = failing[name]
      if (code) throw new AppError(code)
      return (responses[name] ?? { message: 'Valid' }) as never
    },
  }
  const visit = createVisitStore()
  const toasts = createToastStore(clock, log)
  const provider = async () => ({ signIn: identity })
  const storage = { get: async () => undefined, set: async () => {}, clear: async () => {} }
  const providers = { Google: provider, Facebook: googleOnly ? null : provider }
  const account = fakeAccount({ api, log, storage, providers, clock }, visit, toasts)
  const stores: Stores = { ...fakeStores().stores, visit, toasts, account }
  return {
    stores,
    sent,
    requests: (name: EndpointName) => sent.filter((request) => request.name === name),
    /** Runs every task that waits for a timer. */
    runTimers: () => [...waiting].forEach((task) => void task()),
  }
}
