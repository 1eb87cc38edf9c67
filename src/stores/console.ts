import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { Case, CaseKind, CaseSummary, ConsoleInput, Moderator, Statistics } from '#protocol/console.ts'
import { type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { ConsoleApi, Log } from '../domain/ports.ts'

export type ConsoleStore = ReturnType<typeof createConsoleStore>

/** `checking` until the server has reported whether there is a login session. */
export type LoginState = 'checking' | 'out' | 'in'
export type Queue = { cases: readonly CaseSummary[]; open: number; next: string | null }
export type Decision = Omit<ConsoleInput<'decide'>, 'id' | 'version'>

/** A requested picture of the open case; `broken` if its signature does not match. */
export type Evidence = { state: 'intact'; url: string; open: boolean } | { state: 'broken'; url: null; open: false }

const EMPTY: Queue = { cases: [], open: 0, next: null }

/** The console is in English only. */
const faultTexts: Partial<Record<ErrorCode, string>> = {
  timeout: 'The server took too long. Please try again.',
  'network-error': 'The network is away. Please try again.',
  'server-unreachable': 'The server cannot be reached. Please try again.',
  'too-many-requests': 'Too many requests. Wait a minute.',
  'not-found': 'It is not there any more.',
}

function faultText(code: ErrorCode): string {
  return faultTexts[code] ?? `Something went wrong (${code}). Please try again.`
}

const loginTexts: Partial<Record<ErrorCode, string>> = {
  'login-required': 'Name, password or code is wrong.',
  'bad-request': 'Name, password or code is wrong.',
  'too-many-requests': 'Too many tries. Wait a few minutes.',
}

/** State and actions of the console. Any request that finds the login session ended leads back to the login form. */
export function createConsoleStore({ api, log }: { api: ConsoleApi; log: Log }) {
  const login = signal<LoginState>('checking')
  const moderator = signal<Moderator | null>(null)
  const loginTrouble = signal<string | null>(null)
  const busy = signal(false)
  const note = signal<string | null>(null)
  const kind = signal<CaseKind | null>(null)
  const queue = signal<Queue>(EMPTY)
  const queueLoading = signal(false)
  const found = signal<{ text: string; cases: readonly CaseSummary[] } | null>(null)
  const statistics = signal<Statistics | null>(null)
  const openCase = signal<Case | null>(null)
  const missing = signal(false)
  const pictures = signal<ReadonlyMap<string, Evidence>>(new Map())
  /** Id of the case to show; responses about another case are ignored. */
  let wanted: string | null = null
  let lastRead = 0

  function forget(): void {
    moderator.value = null
    login.value = 'out'
    queue.value = EMPTY
    found.value = null
    statistics.value = null
    openCase.value = null
    pictures.value = new Map()
    note.value = null
  }

  function fault(thrown: unknown, where: string): void {
    const { code } = toAppError(thrown)
    if (code === 'login-required') {
      if (login.peek() === 'in') loginTrouble.value = 'Your login has ended.'
      forget()
      return
    }
    log.error(`console: ${where}`, thrown)
    note.value = faultText(code)
  }

  async function readQueue(after: string | null): Promise<void> {
    lastRead += 1
    const thisRead = lastRead
    queueLoading.value = true
    try {
      const filter = kind.peek()
      const page = await api.request('readQueue', { ...(filter && { kind: filter }), ...(after !== null && { after }) })
      if (thisRead !== lastRead) return
      queue.value = after === null ? page : { ...page, cases: [...queue.peek().cases, ...page.cases] }
    } catch (thrown) {
      fault(thrown, 'the queue')
    } finally {
      if (thisRead === lastRead) queueLoading.value = false
    }
  }

  async function readStatistics(): Promise<void> {
    try {
      statistics.value = await api.request('readStatistics', undefined)
    } catch (thrown) {
      fault(thrown, 'the statistics')
    }
  }

  async function readCase(id: string): Promise<void> {
    try {
      const response = await api.request('readCase', { id })
      if (wanted !== id) return
      openCase.value = response
      missing.value = false
    } catch (thrown) {
      if (wanted !== id) return
      if (toAppError(thrown).code === 'not-found') missing.value = true
      else fault(thrown, 'a case')
    }
  }

  async function begin(next: Moderator): Promise<void> {
    moderator.value = next
    login.value = 'in'
    loginTrouble.value = null
    await Promise.all([readQueue(null), readStatistics(), ...(wanted === null ? [] : [readCase(wanted)])])
  }

  return {
    login: login as ReadonlySignal<LoginState>,
    moderator: moderator as ReadonlySignal<Moderator | null>,
    loginTrouble: loginTrouble as ReadonlySignal<string | null>,
    /** True while a login or a decision is being sent. */
    busy: busy as ReadonlySignal<boolean>,
    /** The last error, until it is dismissed or the next action starts. */
    note: note as ReadonlySignal<string | null>,
    kind: kind as ReadonlySignal<CaseKind | null>,
    queue: queue as ReadonlySignal<Queue>,
    queueLoading: queueLoading as ReadonlySignal<boolean>,
    /** The results of the search; null without a search. */
    found: found as ReadonlySignal<{ text: string; cases: readonly CaseSummary[] } | null>,
    statistics: statistics as ReadonlySignal<Statistics | null>,
    openCase: openCase as ReadonlySignal<Case | null>,
    /** True if the requested case does not exist. */
    missing: missing as ReadonlySignal<boolean>,
    pictures: pictures as ReadonlySignal<ReadonlyMap<string, Evidence>>,

    dismiss(): void {
      note.value = null
    },

    /** Resumes an existing login session. */
    async enter(): Promise<void> {
      if (login.peek() === 'in') return
      try {
        await begin(await api.request('whoAmI', undefined))
      } catch (thrown) {
        fault(thrown, 'who am I')
        login.value = 'out'
      }
    },

    async logIn(credentials: ConsoleInput<'login'>): Promise<void> {
      if (busy.peek()) return
      busy.value = true
      try {
        await begin(await api.request('login', credentials))
      } catch (thrown) {
        const { code } = toAppError(thrown)
        loginTrouble.value = loginTexts[code] ?? faultText(code)
      } finally {
        busy.value = false
      }
    },

    async logOut(): Promise<void> {
      try {
        await api.request('logout', undefined)
        loginTrouble.value = null
        forget()
      } catch (thrown) {
        fault(thrown, 'the logout')
      }
    },

    async filter(next: CaseKind | null): Promise<void> {
      kind.value = next
      found.value = null
      await readQueue(null)
    },

    /** Loads the next page of the queue, one at a time. */
    async more(): Promise<void> {
      const { next } = queue.peek()
      if (next !== null && !queueLoading.peek()) await readQueue(next)
    },

    /** Searches for a text of at least two characters; a shorter one clears the results. */
    async search(text: string): Promise<void> {
      if (text.trim().length < 2) {
        found.value = null
        return
      }
      try {
        const { cases } = await api.request('search', { text: text.trim() })
        found.value = { text: text.trim(), cases }
      } catch (thrown) {
        fault(thrown, 'the search')
      }
    },

    /** Opens a case; null closes the open one. */
    async show(id: string | null): Promise<void> {
      wanted = id
      missing.value = false
      note.value = null
      if (openCase.peek()?.id !== id) {
        openCase.value = null
        pictures.value = new Map()
      }
      if (id !== null && login.peek() === 'in') await readCase(id)
    },

    /** Shows or hides a picture. The first time it is fetched, which the server records in the audit. */
    async unveil(id: string, open: boolean): Promise<void> {
      const known = pictures.peek().get(id)
      const caseId = openCase.peek()?.id
      if (known?.state === 'broken' || caseId === undefined) return
      if (known) {
        pictures.value = new Map(pictures.peek()).set(id, { ...known, open })
        return
      }
      if (!open) return
      try {
        const { jpeg } = await api.request('openEvidence', { caseId, id })
        if (wanted !== caseId) return
        const picture: Evidence =
          jpeg === null
            ? { state: 'broken', url: null, open: false }
            : { state: 'intact', url: `data:image/jpeg;base64,${jpeg}`, open: true }
        pictures.value = new Map(pictures.peek()).set(id, picture)
      } catch (thrown) {
        fault(thrown, 'evidence')
      }
    },

    /** Resolves with true if the decision was accepted. If the case has changed, it is loaded again and nothing was decided. */
    async decide(decision: Decision): Promise<boolean> {
      const decided = openCase.peek()
      if (!decided || busy.peek()) return false
      busy.value = true
      note.value = null
      try {
        await api.request('decide', { ...decision, id: decided.id, version: decided.version })
        await Promise.all([readCase(decided.id), readQueue(null), readStatistics()])
        return true
      } catch (thrown) {
        if (toAppError(thrown).code !== 'wrong-state') fault(thrown, 'a decision')
        else {
          note.value = 'This case has changed meanwhile. Look at it again before you decide.'
          await Promise.all([readCase(decided.id), readQueue(null)])
        }
        return false
      } finally {
        busy.value = false
      }
    },
  }
}
