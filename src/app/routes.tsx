import { lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { SplashPage } from '../pages/splash/splash-page.tsx'
import { Notices } from '../parts/notices.tsx'
import { Spinner } from '../parts/spinner.tsx'
import { StoresContext, useVisitor } from '../stores/stores.ts'
import type { App } from './create-app.ts'
import { type GuardedPath, mayOpen } from './guards.ts'
import { pages } from './pages.ts'
import { ScreenBoundary } from './screen-boundary.tsx'

const SignInPage = lazy(pages.signIn)
const WelcomePage = lazy(pages.welcome)
const DashboardPage = lazy(pages.dashboard)
const MatchingPage = lazy(pages.matching)
const CallPage = lazy(pages.call)
const AboutPage = lazy(pages.about)
const TermsPage = lazy(pages.terms)
const PrivacyPage = lazy(pages.privacy)
const DataDeletionPage = lazy(pages.dataDeletion)
const DeletionStatusPage = lazy(pages.deletionStatus)
const AppVersionPage = lazy(pages.appVersion)

type GuardProps = { app: App; path: GuardedPath; children: ReactNode }

/** Decides once, on entry: flags that change while the screen is open do not throw anybody out. Keyed by its path. */
function Guarded({ app, path, children }: GuardProps) {
  const { session } = useVisitor()
  const [open] = useState(() => mayOpen(path, { flags: session.flags.peek(), status: app.blockStatus() }))
  return open ? children : <Navigate to="/" replace />
}

/** Hands the stores of somebody signed in to the screens that need them. */
function WithMemberStores({ app, children }: { app: App; children: ReactNode }) {
  return <StoresContext.Provider value={use(app.memberStores())}>{children}</StoresContext.Provider>
}

function MemberOnly({ app, path, children }: GuardProps) {
  return (
    <Guarded key={path} app={app} path={path}>
      <WithMemberStores app={app}>{children}</WithMemberStores>
    </Guarded>
  )
}

/** Tells the app which screen is open, and lets it change the screen. */
function Lifetimes({ app: { navigation, entered } }: { app: App }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => navigation.bind((path) => void navigate(path)), [navigation, navigate])
  useEffect(() => entered(pathname), [entered, pathname])
  return null
}

export function AppRoutes({ app }: { app: App }) {
  const { notices } = app.stores
  return (
    <>
      <Lifetimes app={app} />
      <ScreenBoundary onFault={(thrown) => notices.fail(thrown, 'screen')}>
        <Suspense fallback={<Spinner label="Loading" />}>
          <Routes>
            <Route path="/" element={<SplashPage />} />
            <Route
              path="/login"
              element={
                <Guarded key="/login" app={app} path="/login">
                  <SignInPage />
                </Guarded>
              }
            />
            <Route
              path="/welcome"
              element={
                <Guarded key="/welcome" app={app} path="/welcome">
                  <WelcomePage />
                </Guarded>
              }
            />
            <Route
              path="/dashboard"
              element={
                <MemberOnly app={app} path="/dashboard">
                  <DashboardPage />
                </MemberOnly>
              }
            />
            <Route
              path="/buzzing"
              element={
                <MemberOnly app={app} path="/buzzing">
                  <MatchingPage />
                </MemberOnly>
              }
            />
            <Route
              path="/chat"
              element={
                <MemberOnly app={app} path="/chat">
                  <CallPage />
                </MemberOnly>
              }
            />
            <Route path="/about" element={<AboutPage />} />
            <Route path="/terms-of-service" element={<TermsPage />} />
            <Route path="/privacy-notice" element={<PrivacyPage />} />
            <Route path="/fb-data-deletion" element={<DataDeletionPage />} />
            <Route path="/deletion-status" element={<DeletionStatusPage />} />
            <Route path="/app-version" element={<AppVersionPage />} />
            <Route path="*" element={<Navigate to="/" replace />} />
          </Routes>
        </Suspense>
      </ScreenBoundary>
      <Notices />
    </>
  )
}
