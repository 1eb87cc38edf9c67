import { type ReadonlySignal, signal } from '@preact/signals-react'

const untouched = {
  splashScreenPageLoaded: false,
  signInPageLoaded: false,
  welcomePageLoaded: false,
  dashboardPageLoaded: false,
  dashboardPageCanBeLoadedFromSplashScreen: false,
  navigationToVideoCallPage: false,
  loggedUserSession: false,
  loggedIpDetails: false,
}

/** What the user has done in this visit. It is only in memory, so that a reload leads through the splash screen. */
export type Flags = Record<keyof typeof untouched, boolean>

export type VisitStore = ReturnType<typeof createVisitStore>

export function createVisitStore() {
  const flags = signal<Flags>(untouched)
  const userSessionId = signal('')
  return {
    flags: flags as ReadonlySignal<Flags>,
    /** Empty until start-up has read it. */
    userSessionId: userSessionId as ReadonlySignal<string>,
    mark(flag: keyof Flags, value = true): void {
      if (flags.peek()[flag] !== value) flags.value = { ...flags.peek(), [flag]: value }
    },
    begin(id: string): void {
      userSessionId.value = id
    },
    /** Resets the visit after logout. */
    forget(): void {
      flags.value = untouched
      userSessionId.value = ''
    },
  }
}
