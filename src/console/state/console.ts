import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { ConsoleInput, Moderator, Statistics } from '#protocol/console.ts'
import { type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { ConsoleApi } from '../ports.ts'
import { createConsoleCase } from './case.ts'
import { createConsoleNotices } from './notices.ts'
import { createConsolePreservations, type SaveFile } from './preservations.ts'
import { createConsoleQueue } from './queue.ts'
import { createConsoleWords } from './words.ts'

export type ConsoleStore = ReturnType<typeof createConsoleStore>

/** `checking` until the server has reported whether there is a login session. */
export type LoginState = 'checking' | 'out' | 'in'
export type Decision = Omit<ConsoleInput<'decide'>, 'id' | 'version'>

/** The console is in English only. */
const errorTexts: Partial<Record<ErrorCode, string>> = {
  timeout: 'The server took too long. Please try again.',
  'network-error': 'The network is away. Please try again.',
  'server-unreachable': 'The server cannot be reached. Please try again.',
  'too-many-requests': 'Too many requests. Wait a minute.',
  'not-found': 'It is not there any more.',
  'wrong-state': 'It has changed meanwhile. Look at it again.',
  'bad-request': 'The text has characters that cannot be shown, or is too long. What you typed is still here.',
}

function errorText(code: ErrorCode): string {
  return errorTexts[code] ?? `Something went wrong (${code}). Please try again.`
}

const loginTexts: Partial<Record<ErrorCode, string>> = {
  'login-required': 'Name, password or code is wrong.',
  'bad-request': 'Name, password or code is wrong.',
  'too-many-requests': 'Too many tries. Wait a few minutes.',
}

/** State and actions of the console. Any request that finds the login session ended leads back to the login form. */
export function createConsoleStore({ api, log, saveFile }: { api: ConsoleApi; log: Log; saveFile: SaveFile }) {
  const login = signal<LoginState>('checking')
  const moderator = signal<Moderator | null>(null)
  const loginTrouble = signal<string | null>(null)
  const busy = signal(false)
  const note = signal<string | null>(null)
  const statistics = signal<Statistics | null>(null)
  const queue = createConsoleQueue(api, fail)
  const shown = createConsoleCase(api, fail)
  const notices = createConsoleNotices(api, fail)
  const words = createConsoleWords(api, fail)
  const preservations = createConsolePreservations(api, fail, saveFile)

  function forget(): void {
    moderator.value = null
    login.value = 'out'
    statistics.value = null
    queue.clear()
    shown.clear()
    notices.clear()
    words.clear()
    preservations.clear()
    note.value = null
  }

  function fail(thrown: unknown, where: string): void {
    const { code } = toAppError(thrown)
    if (code === 'login-required') {
      if (login.peek() === 'in') loginTrouble.value = 'Your login has ended.'
      forget()
      return
    }
    log.error(`console: ${where}`, thrown)
    note.value = errorText(code)
  }

  async function readStatistics(): Promise<void> {
    try {
      statistics.value = await api.request('readStatistics', undefined)
    } catch (thrown) {
      fail(thrown, 'the statistics')
    }
  }

  async function begin(next: Moderator): Promise<void> {
    moderator.value = next
    login.value = 'in'
    loginTrouble.value = null
    const id = shown.selected()
    await Promise.all([queue.read(null), readStatistics(), notices.read(), ...(id === null ? [] : [shown.read(id)])])
  }

  return {
    login: login as ReadonlySignal<LoginState>,
    moderator: moderator as ReadonlySignal<Moderator | null>,
    loginTrouble: loginTrouble as ReadonlySignal<string | null>,
    /** True while a login or a decision is being sent. */
    busy: busy as ReadonlySignal<boolean>,
    /** The last error, until it is dismissed or the next action starts. */
    note: note as ReadonlySignal<string | null>,
    kind: queue.kind,
    queue: queue.queue,
    queueLoading: queue.loading,
    found: queue.found,
    statistics: statistics as ReadonlySignal<Statistics | null>,
    openCase: shown.openCase,
    missing: shown.missing,
    pictures: shown.pictures,
    notices,
    words,
    preservations,
    filter: queue.filter,
    more: queue.more,
    search: queue.search,
    unveil: shown.unveil,

    dismiss(): void {
      note.value = null
    },

    /** Resumes an existing login session. */
    async enter(): Promise<void> {
      if (login.peek() === 'in') return
      try {
        await begin(await api.request('whoAmI', undefined))
      } catch (thrown) {
        fail(thrown, 'who am I')
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
        loginTrouble.value = loginTexts[code] ?? errorText(code)
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
        fail(thrown, 'the logout')
      }
    },

    /** Opens a case; null closes the open one. */
    async show(id: string | null): Promise<void> {
      note.value = null
      shown.select(id)
      if (id !== null && login.peek() === 'in') await shown.read(id)
    },

    /** Opens a notice of a person without an account; null closes the opened one. */
    async showNotice(id: string | null): Promise<void> {
      if (id !== null) note.value = null
      notices.select(id)
      if (id !== null && login.peek() === 'in') await notices.readWanted()
    },

    /** Resolves with true if the decision was accepted. If the case has changed, it is loaded again and nothing was decided. */
    async decide(decision: Decision): Promise<boolean> {
      const decided = shown.openCase.peek()
      if (!decided || busy.peek()) return false
      busy.value = true
      note.value = null
      try {
        await api.request('decide', { ...decision, id: decided.id, version: decided.version })
        await Promise.all([shown.read(decided.id), queue.read(null), readStatistics()])
        return true
      } catch (thrown) {
        if (toAppError(thrown).code !== 'wrong-state') fail(thrown, 'a decision')
        else {
          note.value = 'This case has changed meanwhile. Look at it again before you decide.'
          await Promise.all([shown.read(decided.id), queue.read(null)])
        }
        return false
      } finally {
        busy.value = false
      }
    },

    /** Corrects the date of birth of the open case. Resolves with true if the server has stored it. */
    async correctBirth(dateOfBirth: string): Promise<boolean> {
      const corrected = shown.openCase.peek()
      if (!corrected || busy.peek()) return false
      busy.value = true
      note.value = null
      try {
        await api.request('correctBirth', { id: corrected.id, dateOfBirth })
        await Promise.all([shown.read(corrected.id), queue.read(null)])
        return true
      } catch (thrown) {
        fail(thrown, 'a date of birth')
        return false
      } finally {
        busy.value = false
      }
    },
  }
}
