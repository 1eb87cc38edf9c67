import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { SplashPage } from '../pages/splash/splash-page.tsx'
import { Notices } from '../parts/notices.tsx'
import { Spinner } from '../parts/spinner.tsx'
import { useStores } from '../stores/stores.ts'
import { type GuardedPath, mayOpen } from './guards.ts'
import type { Navigation } from './navigation.ts'
import { pages } from './pages.ts'

const SignInPage = lazy(pages.signIn)
const WelcomePage = lazy(pages.welcome)
const DashboardPage = lazy(pages.dashboard)
const MatchingPage = lazy(pages.matching)
const CallPage = lazy(pages.call)
const AboutPage = lazy(pages.about)
const TermsPage = lazy(pages.terms)
const PrivacyPage = lazy(pages.privacy)
const DataDeletionPage = lazy(pages.dataDeletion)
const AppVersionPage = lazy(pages.appVersion)

/** Decides once, on entry: flags that change while the screen is open do not throw anybody out. */
function Guarded({ path, children }: { path: GuardedPath; children: ReactNode }) {
  const { session, lobby } = useStores()
  const [open] = useState(() => mayOpen(path, { flags: session.flags.peek(), status: lobby.status.peek() }))
  return open ? children : <Navigate to="/" replace />
}

/** Tells the app which screen is open, and lets it change the screen. */
function Lifetimes({ navigation, entered }: { navigation: Navigation; entered: (path: string) => void }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => navigation.bind((path) => void navigate(path)), [navigation, navigate])
  useEffect(() => entered(pathname), [entered, pathname])
  return null
}

export function AppRoutes(app: { navigation: Navigation; entered: (path: string) => void }) {
  return (
    <>
      <Lifetimes {...app} />
      <Suspense fallback={<Spinner label="Loading" />}>
        <Routes>
          <Route path="/" element={<SplashPage />} />
          <Route
            path="/login"
            element={
              <Guarded path="/login">
                <SignInPage />
              </Guarded>
            }
          />
          <Route
            path="/welcome"
            element={
              <Guarded path="/welcome">
                <WelcomePage />
              </Guarded>
            }
          />
          <Route
            path="/dashboard"
            element={
              <Guarded path="/dashboard">
                <DashboardPage />
              </Guarded>
            }
          />
          <Route
            path="/buzzing"
            element={
              <Guarded path="/buzzing">
                <MatchingPage />
              </Guarded>
            }
          />
          <Route
            path="/chat"
            element={
              <Guarded path="/chat">
                <CallPage />
              </Guarded>
            }
          />
          <Route path="/about" element={<AboutPage />} />
          <Route path="/terms-of-service" element={<TermsPage />} />
          <Route path="/privacy-notice" element={<PrivacyPage />} />
          <Route path="/fb-data-deletion" element={<DataDeletionPage />} />
          <Route path="/app-version" element={<AppVersionPage />} />
          <Route path="*" element={<Navigate to="/" replace />} />
        </Routes>
      </Suspense>
      <Notices />
    </>
  )
}
