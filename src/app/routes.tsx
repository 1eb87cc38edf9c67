import {
  Component,
  type ComponentType,
  lazy,
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
import type { ConsolePart } from '../console/screens/console.tsx'
import type { Loadable } from '../platform/load-once.ts'
import { isAboveDashboard } from '../platform/rules/history-entry.ts'
import { usePlatform } from '../platform/use-platform.ts'
import { useTexts } from '../platform/use-texts.ts'
import { Spinner } from '../ui/spinner.tsx'
import { Toasts } from '../ui/toasts.tsx'
import type { App } from './create-app.ts'
import { repeatEarlyPress } from './early-press.ts'
import { type GuardedPath, mayOpen } from './guards.ts'
import type { Pages } from './pages.ts'

/**
 * Returns a loaded value synchronously. For a new promise React would show the fallback, and keep it for 300 ms (its
 * throttle of fallbacks).
 */
function useLoaded<Value>({ load, loaded }: Loadable<Value>): Value {
  return loaded() ?? use(load())
}

type Page = Pages[keyof Pages]

function Screen({ page }: { page: Page }) {
  const Loaded = useLoaded<ComponentType>(page)
  return <Loaded />
}

/** A guarded screen, checked once on mount: later changes of the flags do not close it. Its key is its path. */
function Guarded({ app, path, children }: { app: App; path: GuardedPath; children: ReactNode }) {
  const { visit } = usePlatform()
  const byBrowser = useNavigationType() === NavigationType.Pop
  const { state } = useLocation()
  const [open] = useState(() => mayOpen(path, { flags: visit.flags.peek(), status: app.blockStatus(), byBrowser }))
  if (open) return children
  return isAboveDashboard(state) ? <BackToDashboard app={app} /> : <Navigate to="/" replace />
}

/** Goes from the history entry of a call that is over to the dashboard's entry below it. */
function BackToDashboard({ app: { navigation } }: { app: App }) {
  useEffect(() => navigation.go('/dashboard'), [navigation])
  return null
}

/** A screen that needs the stores of a signed-in user. */
function MemberScreen({ app, page }: { app: App; page: Page }) {
  const { Provider, stores } = useLoaded(app.member)
  return (
    <Provider stores={stores}>
      <Screen page={page} />
    </Provider>
  )
}

type StoreScreenProps<Store> = { screen: Loadable<{ Page: ComponentType<{ store: Store }>; store: Store }> }

/** A screen that is loaded together with its store. */
function StoreScreen<Store>({ screen }: StoreScreenProps<Store>) {
  const { Page, store } = useLoaded(screen)
  return <Page store={store} />
}

const ConsolePage = lazy(async () => ({
  default: (await import('../console/screens/console-page.tsx')).ConsolePage,
}))

/** The moderators' console, with its own login session, store and texts. */
function ConsoleScreen({ app, part = null }: { app: App; part?: ConsolePart | null }) {
  return <ConsolePage store={use(app.consoleStore.load())} part={part} />
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
 * Screens without a cross-fade, which would delay the peer's picture, a moderator on the way from case to case, or what
 * follows the splash screen: React holds the next screen back until the fade has ended.
 */
const UNFADED = /^\/(?:$|chat$|moderation)/

/** True if the user prefers reduced motion; false while a page is prerendered. */
const isStill = (): boolean => globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/** Cross-fades from screen to screen, but not from the splash screen: nobody can act during a fade. */
function Screens({ app, children }: { app: App; children: ReactNode }) {
  const { pathname } = useLocation()
  const isUnfaded = UNFADED.test(pathname) || app.path.peek() === '/' || isStill()
  // As soon as a prerendered screen is hydrated: a later press would be answered by React and repeated too.
  useLayoutEffect(repeatEarlyPress, [])
  return <ViewTransition default={isUnfaded ? 'none' : 'screen'}>{children}</ViewTransition>
}

type BoundaryProps = { onFault: (thrown: unknown) => void; children: ReactNode }

/** Reports an error of a screen that cannot be loaded or rendered, and shows nothing instead of the screen. */
export class ScreenBoundary extends Component<BoundaryProps, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override componentDidCatch(thrown: unknown): void {
    this.props.onFault(thrown)
  }

  override render(): ReactNode {
    return this.state.broken ? null : this.props.children
  }
}

export function AppRoutes({ app }: { app: App }) {
  const { pages, stores } = app
  const t = useTexts()
  const guarded = (path: GuardedPath, screen: ReactNode) => (
    <Route
      path={path}
      element={
        <Guarded key={path} app={app} path={path}>
          {screen}
        </Guarded>
      }
    />
  )
  const forMembers = (path: GuardedPath, page: Page) => guarded(path, <MemberScreen app={app} page={page} />)
  return (
    <>
      <Lifetimes app={app} />
      <ScreenBoundary onFault={app.broken}>
        <Suspense fallback={<Spinner label={t('first.loading')} />}>
          <Screens app={app}>
            <Routes>
              <Route path="/" element={<SplashPage />} />
              {guarded('/login', <Screen page={pages.signIn} />)}
              {guarded('/welcome', <Screen page={pages.welcome} />)}
              {forMembers('/dashboard', pages.dashboard)}
              {forMembers('/buzzing', pages.matching)}
              {forMembers('/chat', pages.call)}
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
