import {
  CHAT_DELIVERY_MS,
  HUB_HANDSHAKE_TIMEOUT_MS,
  HUB_KEEP_ALIVE_MS,
  HUB_PATH,
  HUB_RECONNECT_DELAYS_MS,
  HUB_SERVER_TIMEOUT_MS,
} from '#protocol/constants.ts'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import { type HubEvent, type HubMethod, hubErrorCode, hubEvents } from '#protocol/hub.ts'
import { tryParse } from '#protocol/parse.ts'
import { span } from '#workers/trace.ts'
import { createHubRoute } from '../domain/hub-route.ts'
import type { Clock, HubClient, HubState, Log } from '../domain/ports.ts'
import { createHubConnection, type LineEnd, type SiteConnection } from './hub-connection.ts'
import type { HubSites } from './hub-sites.ts'

type Login = Parameters<HubClient['start']>[0]
type StateListener = Parameters<HubClient['onState']>[0]
type Handler = (args: unknown[]) => void

/** From start to stop: one line after the other. `ready` is made anew whenever the hub is lost. */
type Course = {
  login: Login
  route: ReturnType<typeof createHubRoute>
  ready: PromiseWithResolvers<void>
  line: SiteConnection | null
  /** False until the first line stood: a first attempt that fails is not repeated. */
  established: boolean
  up: boolean
  /** Attempts since the hub was last there. */
  attempts: number
  gaveUp: boolean
  cancelRetry: () => void
}

export type HubOptions = {
  sites: Pick<HubSites, 'order' | 'failed'>
  log: Log
  clock: Clock
  /** Tells of every moment at which the network or the page comes back. */
  onWake: (listener: () => void) => () => void
  reconnectDelays?: number[]
}

const limits = {
  silenceMs: HUB_SERVER_TIMEOUT_MS,
  // The hub is never silent for longer than its ping, give or take a slow network.
  wakingMs: HUB_KEEP_ALIVE_MS + 5_000,
  attemptMs: HUB_HANDSHAKE_TIMEOUT_MS,
}
/** So often a hub that was there is tried again before the next region's: it keeps this user's place and session. */
const FAITHFUL_ATTEMPTS = 3
const INVOKE_MS = 15_000
/** The hub holds a chat message while it waits for a peer who dropped off. */
const CHAT_MS = CHAT_DELIVERY_MS + INVOKE_MS

function limitOf(method: HubMethod): number {
  return method === 'SendChatMessageToPeer' ? CHAT_MS : INVOKE_MS
}

/** Loads SignalR: import this module when it is needed. One client a page: the hub takes two for two tabs. */
export function createHubClient(options: HubOptions): HubClient {
  const { sites, log, clock, onWake, reconnectDelays = HUB_RECONNECT_DELAYS_MS } = options
  const visit = crypto.randomUUID()
  const handlers = new Map<HubEvent, Set<Handler>>()
  const stateListeners = new Set<StateListener>()
  let course: Course | null = null
  let stopWaking = () => {}

  function report(state: HubState, reason: ErrorCode | null = null): void {
    for (const listener of [...stateListeners]) listener(state, reason)
  }

  function attempt(of: Course): void {
    const since = performance.now()
    const query = new URLSearchParams({ userSessionId: of.login.userSessionId, visit })
    const line = createHubConnection({
      url: `${of.route.origin()}${HUB_PATH}?${query}`,
      token: of.login.token,
      clock,
      limits,
      heard(event, args) {
        for (const handler of [...(handlers.get(event) ?? [])]) handler(args)
      },
      reattaching(now) {
        if (now) lost(of)
        else found(of)
      },
      ended: (end) => afterEnd(of, end),
    })
    of.line = line
    line.open().then(
      () => {
        if (of.line !== line) return
        span('Hub', 'connect', since)
        of.established = true
        found(of)
      },
      // The line has told of its end already.
      () => {},
    )
  }

  function found(of: Course): void {
    of.up = true
    of.attempts = 0
    of.route.refresh()
    of.ready.resolve()
    report('connected')
  }

  /** Whoever starts from now on waits for the next line. */
  function lost(of: Course): void {
    if (!of.up) return
    of.up = false
    renew(of)
  }

  function renew(of: Course): void {
    of.ready = pending()
    report('reconnecting')
  }

  function afterEnd(of: Course, { reason, mayReturn }: LineEnd): void {
    of.line = null
    log.info(`The hub connection ended: ${reason}`)
    const code = hubErrorCode(reason)
    if (!mayReturn && code !== 'unknown') close(of, 'disconnected', code)
    else if (!of.established) {
      if (moveOn(of)) attempt(of)
      else close(of, 'disconnected', 'hub-unavailable', reason)
    } else if (mayReturn) retry(of)
    else giveUp(of, reason)
  }

  /** To the next region; false when none is left to try. */
  function moveOn(of: Course): boolean {
    sites.failed(of.route.origin())
    return of.route.moveOn()
  }

  function retry(of: Course): void {
    lost(of)
    if (of.attempts >= FAITHFUL_ATTEMPTS && moveOn(of)) {
      attempt(of)
      return
    }
    const delay = reconnectDelays[of.attempts]
    of.attempts += 1
    if (delay === undefined) giveUp(of, 'The hub could not be reached again')
    else of.cancelRetry = clock.after(delay, () => attempt(of))
  }

  /** The course stays: a page that wakes up tries once more. */
  function giveUp(of: Course, reason: string): void {
    of.gaveUp = true
    of.up = false
    of.ready.reject(new AppError('hub-unavailable', reason))
    report('gave-up', 'hub-unavailable')
  }

  function close(of: Course, state: HubState, code: ErrorCode, reason: string = code): void {
    forget()
    of.ready.reject(new AppError(code, reason))
    report(state, code)
  }

  function forget(): void {
    course?.cancelRetry()
    course = null
    stopWaking()
  }

  /** Looks at the line at once, or tries at once to get one. */
  function awake(): void {
    if (!course) return
    if (course.line) {
      course.line.awake()
      return
    }
    course.cancelRetry()
    if (course.gaveUp) {
      course.gaveUp = false
      course.attempts = 1
      course.route.refresh()
      renew(course)
    }
    attempt(course)
  }

  return {
    start(login) {
      if (course) {
        course.login = login
        if (course.gaveUp) awake()
        return course.ready.promise
      }
      const begun: Course = {
        login,
        route: createHubRoute(sites.order()),
        ready: pending(),
        line: null,
        established: false,
        up: false,
        attempts: 0,
        gaveUp: false,
        cancelRetry: () => {},
      }
      course = begun
      stopWaking = onWake(awake)
      report('connecting')
      attempt(begun)
      return begun.ready.promise
    },

    async stop() {
      if (!course) return
      const { line, ready } = course
      forget()
      ready.reject(new AppError('hub-unavailable', 'The hub connection was stopped'))
      const left = line?.leave()
      report('disconnected')
      await left
    },

    connectionId() {
      return course?.line?.connectionId() ?? ''
    },

    async invoke(method, ...args) {
      const line = course?.line
      if (!line || line.connectionId() === '') throw new AppError('hub-unavailable', 'The hub is not connected')
      const since = performance.now()
      try {
        await line.invoke(method, args, limitOf(method))
      } finally {
        span('Hub', method, since)
      }
    },

    on(event, listener) {
      const handler: Handler = (args) => {
        const parsed = tryParse(hubEvents[event], args)
        if (parsed.success) listener(...parsed.output)
        else log.error(`A malformed ${event} of the hub was dropped`)
      }
      const known = handlers.get(event) ?? new Set()
      handlers.set(event, known.add(handler))
      return () => known.delete(handler)
    },

    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
  }
}

function pending(): PromiseWithResolvers<void> {
  const made = Promise.withResolvers<void>()
  // Whoever waits for it hears of a rejection; nobody waiting is no error.
  made.promise.catch(() => {})
  return made
}
