import { type ReadonlySignal, signal } from '@preact/signals-react'
import type { ConsoleInput, ConsoleWords, Moderator, Statistics } from '#protocol/console.ts'
import { type ErrorCode, toAppError } from '#protocol/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { ConsoleApi } from '../ports.ts'
import { createConsoleCase } from './case.ts'
import { createConsoleNotices } from './notices.ts'
import { createConsolePreservations, type SaveFile } from './preservations.ts'
import { createConsoleQueue } from './queue.ts'
import { createSingleTask, type Fail, type SingleTask } from './requests.ts'

export type ConsoleStore = ReturnType<typeof createConsoleStore>

/** `checking`: the server has not yet reported whether there is a login session. */
type LoginState = 'checking' | 'out' | 'in'

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

/** State and actions of the console. If a request finds that the login session has ended, the login form is shown. */
export function createConsoleStore({ api, log, saveFile }: { api: ConsoleApi; log: Log; saveFile: SaveFile }) {
  const note = signal<string | null>(null)
  const statistics = signal<Statistics | null>(null)
  const task = createSingleTask()
  const { ended, ...login } = createConsoleLogin(api, { fail, task, readAll, forget })
  const { read: readCases, clear: clearQueue, ...queue } = createConsoleQueue(api, fail)
  const readQueue = () => readCases(null)
  const {
    read: readCase,
    select,
    selected,
    clear: clearCase,
    ...shown
  } = createConsoleCase(api, {
    fail,
    task,
    tell,
    readQueue,
    readStatistics,
  })
  const notices = createConsoleNotices(api, fail)
  const words = createConsoleWords(api, fail)
  const preservations = createConsolePreservations(api, fail, saveFile)
  const isLoggedIn = () => login.login.peek() === 'in'

  function tell(text: string | null): void {
    note.value = text
  }

  function fail(thrown: unknown, where: string): void {
    const { code } = toAppError(thrown)
    if (code === 'login-required') ended()
    else {
      log.error(`console: ${where}`, thrown)
      tell(errorText(code))
    }
  }

  function forget(): void {
    statistics.value = null
    clearQueue()
    clearCase()
    notices.clear()
    words.clear()
    preservations.clear()
    tell(null)
  }

  async function readStatistics(): Promise<void> {
    try {
      statistics.value = await api.request('readStatistics', undefined)
    } catch (thrown) {
      fail(thrown, 'the statistics')
    }
  }

  async function readAll(): Promise<void> {
    const id = selected()
    await Promise.all([readQueue(), readStatistics(), notices.read(), ...(id === null ? [] : [readCase(id)])])
  }

  return {
    ...login,
    ...queue,
    ...shown,
    /** True while a login or a decision is being sent. */
    busy: task.busy,
    /** Text of the last error, until it is dismissed or the next action begins. */
    note: note as ReadonlySignal<string | null>,
    statistics: statistics as ReadonlySignal<Statistics | null>,
    notices,
    words,
    preservations,
    dismiss: () => tell(null),

    /** Opens a case; null closes the open one. */
    async show(id: string | null): Promise<void> {
      tell(null)
      select(id)
      if (id !== null && isLoggedIn()) await readCase(id)
    },

    /** Opens a content notice; null closes the opened one. */
    async showNotice(id: string | null): Promise<void> {
      if (id !== null) tell(null)
      notices.select(id)
      if (id !== null && isLoggedIn()) await notices.readWanted()
    },
  }
}

type LoginDeps = {
  fail: Fail
  task: SingleTask
  /** Reads what the console shows. */
  readAll: () => Promise<void>
  /** Clears everything that was read. */
  forget: () => void
}

/** The login session of the moderator. */
function createConsoleLogin(api: ConsoleApi, { fail, task, readAll, forget }: LoginDeps) {
  const login = signal<LoginState>('checking')
  const moderator = signal<Moderator | null>(null)
  const loginTrouble = signal<string | null>(null)

  async function begin(next: Moderator): Promise<void> {
    moderator.value = next
    login.value = 'in'
    loginTrouble.value = null
    await readAll()
  }

  function end(): void {
    moderator.value = null
    login.value = 'out'
    forget()
  }

  return {
    login: login as ReadonlySignal<LoginState>,
    moderator: moderator as ReadonlySignal<Moderator | null>,
    loginTrouble: loginTrouble as ReadonlySignal<string | null>,

    /** Called when the server reports that there is no login session. */
    ended(): void {
      if (login.peek() === 'in') loginTrouble.value = 'Your login has ended.'
      end()
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
      await task.run(
        async () => begin(await api.request('login', credentials)),
        (thrown) => {
          const { code } = toAppError(thrown)
          loginTrouble.value = loginTexts[code] ?? errorText(code)
        },
      )
    },

    async logOut(): Promise<void> {
      try {
        await api.request('logout', undefined)
        loginTrouble.value = null
        end()
      } catch (thrown) {
        fail(thrown, 'the logout')
      }
    },
  }
}

/** Reads and changes the words that moderators refuse, and reads the current suggestions. */
function createConsoleWords(api: ConsoleApi, fail: Fail) {
  const words = signal<ConsoleWords | null>(null)
  const task = createSingleTask()

  /** Changes the refused words. Resolves with false if that failed or another change is being sent. */
  const change = (name: 'refuseWord' | 'allowWord', word: string) =>
    task.run(
      async () => {
        words.value = await api.request(name, { word })
      },
      (thrown) => fail(thrown, 'a word'),
    )

  return {
    /** The words; null until they are read. */
    words: words as ReadonlySignal<ConsoleWords | null>,
    changing: task.busy,

    async read(): Promise<void> {
      try {
        words.value = await api.request('readWords', undefined)
      } catch (thrown) {
        fail(thrown, 'the words')
      }
    },

    refuse: (word: string) => change('refuseWord', word),
    allow: (word: string) => change('allowWord', word),

    clear(): void {
      words.value = null
    },
  }
}
