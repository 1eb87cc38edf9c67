import { useEffect } from 'react'
import { useParams } from 'react-router-dom'
import { useTitle } from '../../ui/frame/use-title.ts'
import { Spinner } from '../../ui/spinner.tsx'
import type { ConsoleStore } from '../state/console.ts'
import { Console, type ConsolePart } from './console.tsx'
import styles from './console-page.module.css'
import { ConsoleContext } from './context.ts'
import { LoginForm } from './login-form.tsx'

/** The moderators' console: the login form, or the queue beside the case, the notice or the part of the URL. */
export function ConsolePage({ store, part = null }: { store: ConsoleStore; part?: ConsolePart | null }) {
  const { caseId = null, noticeId = null } = useParams()
  useTitle('Moderation')

  useEffect(() => {
    void store.enter()
  }, [store])

  useEffect(() => {
    void store.show(caseId)
  }, [store, caseId])

  useEffect(() => {
    void store.showNotice(noticeId)
  }, [store, noticeId])

  return (
    <ConsoleContext.Provider value={store}>
      <Shell store={store} caseId={caseId} noticeId={noticeId} part={part} />
    </ConsoleContext.Provider>
  )
}

type ShellProps = { store: ConsoleStore; caseId: string | null; noticeId: string | null; part: ConsolePart | null }

function Shell({ store, caseId, noticeId, part }: ShellProps) {
  switch (store.login.value) {
    case 'in':
      return <Console caseId={caseId} noticeId={noticeId} part={part} />
    case 'out':
      return <LoginForm />
    default:
      return (
        <main className={styles.waiting}>
          <Spinner label="Loading" />
        </main>
      )
  }
}
