import { featureContext, useFeature } from '../platform/feature-context.ts'
import type { LobbyStore } from './state/lobby.ts'
import type { PreferencesStore } from './state/preferences.ts'

export type Lobby = {
  lobby: LobbyStore
  /** Loads the user's languages and interests. */
  loadPreferences: () => Promise<PreferencesStore>
}

export const LobbyContext = featureContext<Lobby>('Lobby')
export const useLobby = (): Lobby => useFeature(LobbyContext)
