import {
  type ComponentType,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useState,
  ViewTransition,
} from 'react'
import { Navigate, NavigationType, Route, Routes, useLocation, useNavigate, useNavigationType } from 'react-router-dom'
import { SplashPage } from '../account/splash/splash-page.tsx'
import type { Loadable } from '../platform/load-once.ts'
import { isAboveDashboard } from '../platform/rules/history-entry.ts'
import { usePlatform } from '../platform/use-platform.ts'
import { useTexts } from '../platform/use-texts.ts'
import { Spinner } from '../ui/spinner.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { ConsoleScreen } from './console.tsx'
import type { App } from './create-app.ts'
import { repeatEarlyPress } from './early-press.ts'
import { type GuardedPath, mayOpen } from './guards.ts'
import type { Pages } from './pages.ts'
import { ScreenBoundary } from './screen-boundary.tsx'

/**
 * Returns a loaded value synchronously. For a new promise React would show the fallback, and keep it for 300 ms (its
 * throttle of fallbacks).
 */
function useLoaded<Value>({ load, loaded }: Loadable<Value>): Value {
  return loaded() ?? use(load())
}

function Screen({ page }: { page: Pages[keyof Pages] }) {
  const Loaded = useLoaded<ComponentType>(page)
  return <Loaded />
}

type GuardProps = { app: App; path: GuardedPath; children: ReactNode }

/** A guarded screen, checked once on mount: later changes of the flags do not close it. Its key is its path. */
function Guarded({ app, path, children }: GuardProps) {
  const { visit } = usePlatform()
  const byBrowser = useNavigationType() === NavigationType.Pop
  const { state } = useLocation()
  const [open] = useState(() => mayOpen(path, { flags: visit.flags.peek(), status: app.blockStatus(), byBrowser }))
  if (open) return children
  return isAboveDashboard(state) ? <BackToDashboard app={app} /> : <Navigate to="/" replace />
}

/** Leaves the history entry of a call that is over, for the dashboard's entry below it. */
function BackToDashboard({ app: { navigation } }: { app: App }) {
  useEffect(() => navigation.go('/dashboard'), [navigation])
  return null
}

/** Provides the stores of a signed-in user to the screens that need them. */
function WithMemberStores({ app, children }: { app: App; children: ReactNode }) {
  const { Provider, stores } = useLoaded(app.member)
  return <Provider stores={stores}>{children}</Provider>
}

function MemberOnly({ app, path, children }: GuardProps) {
  return (
    <Guarded key={path} app={app} path={path}>
      <WithMemberStores app={app}>{children}</WithMemberStores>
    </Guarded>
  )
}

type StoreScreenProps<Store> = { screen: Loadable<{ Page: ComponentType<{ store: Store }>; store: Store }> }

/** A screen that is loaded together with its store. */
function StoreScreen<Store>({ screen }: StoreScreenProps<Store>) {
  const { Page, store } = useLoaded(screen)
  return <Page store={store} />
}

/** Reports the open screen to the app, and lets the app change the screen. */
function Lifetimes({ app: { navigation, entered } }: { app: App }) {
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  useEffect(
    () =>
      navigation.bind({
        path: () => location.pathname,
        replace: (path, entryState) => void navigate(path, { replace: true, state: entryState }),
        back: () => void navigate(-1),
      }),
    [navigation, navigate],
  )
  useEffect(
    () => navigation.arrived({ path: pathname, isAboveDashboard: isAboveDashboard(state) }),
    [navigation, pathname, state],
  )
  useEffect(() => entered(pathname), [entered, pathname])
  return null
}

/**
 * Screens without a cross-fade, since React shows the next screen only when the fade has ended. That would delay the
 * peer's picture, a moderator who goes from case to case, and the screen after the splash screen.
 */
const UNFADED = /^\/(?:$|chat$|moderation)/

/** True if the user prefers reduced motion; false while a page is prerendered. */
const isStill = (): boolean => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/** Cross-fades between screens, but not from the splash screen, since the user cannot act during a fade. */
function Screens({ app, children }: { app: App; children: ReactNode }) {
  const { pathname } = useLocation()
  const isUnfaded = UNFADED.test(pathname) || app.path.peek() === '/' || isStill()
  // Runs when a prerendered screen is hydrated. Repeats only the press from before; React handles later presses.
  useLayoutEffect(repeatEarlyPress, [])
  return <ViewTransition default={isUnfaded ? 'none' : 'screen'}>{children}</ViewTransition>
}

export function AppRoutes({ app }: { app: App }) {
  const { pages, stores } = app
  const t = useTexts()
  return (
    <>
      <Lifetimes app={app} />
      <ScreenBoundary onFault={app.broken}>
        <Suspense fallback={<Spinner label={t('first.loading')} />}>
          <Screens app={app}>
            <Routes>
              <Route path="/" element={<SplashPage />} />
              <Route
                path="/login"
                element={
                  <Guarded key="/login" app={app} path="/login">
                    <Screen page={pages.signIn} />
                  </Guarded>
                }
              />
              <Route
                path="/welcome"
                element={
                  <Guarded key="/welcome" app={app} path="/welcome">
                    <Screen page={pages.welcome} />
                  </Guarded>
                }
              />
              <Route
                path="/dashboard"
                element={
                  <MemberOnly app={app} path="/dashboard">
                    <Screen page={pages.dashboard} />
                  </MemberOnly>
                }
              />
              <Route
                path="/buzzing"
                element={
                  <MemberOnly app={app} path="/buzzing">
                    <Screen page={pages.matching} />
                  </MemberOnly>
                }
              />
              <Route
                path="/chat"
                element={
                  <MemberOnly app={app} path="/chat">
                    <Screen page={pages.call} />
                  </MemberOnly>
                }
              />
              <Route path="/about" element={<Screen page={pages.about} />} />
              <Route path="/terms-of-service" element={<Screen page={pages.terms} />} />
              <Route path="/privacy-notice" element={<Screen page={pages.privacy} />} />
              <Route path="/fb-data-deletion" element={<Screen page={pages.dataDeletion} />} />
              <Route path="/deletion-status" element={<StoreScreen screen={app.storePages.deletionStatus} />} />
              <Route path="/transparency" element={<StoreScreen screen={app.storePages.transparency} />} />
              <Route path="/status" element={<StoreScreen screen={app.storePages.serviceStatus} />} />
              <Route path="/report-content" element={<StoreScreen screen={app.storePages.reportContent} />} />
              {stores.config.profilePage && <Route path="/profile" element={<Screen page={pages.profile} />} />}
              <Route path="/app-version" element={<Screen page={pages.appVersion} />} />
              <Route path="/moderation/notices/:noticeId" element={<ConsoleScreen app={app} />} />
              <Route path="/moderation/words" element={<ConsoleScreen app={app} part="words" />} />
              <Route path="/moderation/preservations" element={<ConsoleScreen app={app} part="preservations" />} />
              <Route path="/moderation/:caseId?" element={<ConsoleScreen app={app} />} />
              <Route path="*" element={<Navigate to="/" replace />} />
            </Routes>
          </Screens>
        </Suspense>
      </ScreenBoundary>
      <Toasts />
    </>
  )
}
