import { type ReadonlySignal, signal } from '@preact/signals-react'
import { type AppError, toAppError } from '#protocol/errors.ts'
import type { Preferences } from '#protocol/preferences.ts'
import { spokenLanguagesIn } from '#protocol/spoken-languages.ts'
import type { Log } from '../../platform/log.ts'
import type { Api } from '../../platform/ports.ts'

/** `isProposed`: nothing is stored, and the languages are the browser's. */
export type PreferencesDraft = Preferences & { isProposed: boolean }

/** Why the preferences were not saved: the server refused a field, or could not be reached. */
export type PreferencesFault = keyof Preferences | 'failed'

export type PreferencesStore = ReturnType<typeof createPreferencesStore>

type Ports = {
  api: Pick<Api, 'request'>
  log: Log
  /** The browser's list of languages, as tags. */
  tags: () => readonly string[]
}

/** The user's preferences for matches: languages and interests. */
export function createPreferencesStore({ api, log, tags }: Ports) {
  const saving = signal(false)
  let suggestions: Promise<readonly string[]> | null = null

  return {
    saving: saving as ReadonlySignal<boolean>,

    /** Resolves with what is stored, or with the browser's languages if nothing is stored; with null if it could not be read. */
    async load(): Promise<PreferencesDraft | null> {
      try {
        const { languages = [], interests = [] } = await api.request('readProfile', undefined)
        if (languages.length > 0 || interests.length > 0) return { languages, interests, isProposed: false }
        const proposed = spokenLanguagesIn(tags())
        return { languages: proposed, interests, isProposed: proposed.length > 0 }
      } catch (thrown) {
        log.error('Languages and interests could not be read', thrown)
        return null
      }
    },

    /** Resolves with interests of many users, most used first; empty if they could not be read. Sends one request until that fails. */
    suggest(): Promise<readonly string[]> {
      suggestions ??= api.request('readSuggestions', undefined).then(
        ({ interests }) => interests,
        (thrown: unknown) => {
          suggestions = null
          log.error('Suggestions of interests could not be read', thrown)
          return []
        },
      )
      return suggestions
    },

    /** Resolves with null when the preferences are saved. Only one save at a time. */
    async save(draft: Preferences): Promise<PreferencesFault | null> {
      if (saving.peek()) return 'failed'
      saving.value = true
      try {
        await api.request('changePreferences', draft)
        return null
      } catch (thrown) {
        log.error('Languages and interests were not saved', thrown)
        return faultOf(toAppError(thrown))
      } finally {
        saving.value = false
      }
    },
  }
}

/** Returns the refused field. The server may name an entry of its list, as in `interests.2`. */
function faultOf({ details: { field } }: AppError): PreferencesFault {
  const [name] = String(field ?? '').split(/[.[]/)
  return name === 'languages' || name === 'interests' ? name : 'failed'
}
