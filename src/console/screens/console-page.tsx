import { type FormEvent, useEffect, useId } from 'react'
import { useParams } from 'react-router-dom'
import { Button } from '../../ui/button.tsx'
import { useTitle } from '../../ui/frame/use-title.ts'
import { WarningIcon } from '../../ui/icons.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { ConsoleStore } from '../state/console.ts'
import { Console, type ConsolePart, type ConsoleProps } from './console.tsx'
import styles from './console-page.module.css'
import { ConsoleContext, useConsole } from './hooks.ts'

/** The moderators' console: the login form, or the queue with the case, notice or part that the URL names beside it. */
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
      <Shell caseId={caseId} noticeId={noticeId} part={part} />
    </ConsoleContext.Provider>
  )
}

function Shell(props: ConsoleProps) {
  const { login } = useConsole()
  if (login.value === 'in') return <Console {...props} />
  if (login.value === 'out') return <LoginForm />
  return (
    <main className={styles.waiting}>
      <Spinner label="Loading" />
    </main>
  )
}

/** A login form for name, password and the code of an authenticator app. */
function LoginForm() {
  const store = useConsole()
  const id = useId()
  const trouble = store.loginTrouble.value

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    void store.logIn({ name: text('name'), password: text('password'), code: text('code') })
  }

  return (
    <main lang="en" dir="ltr" className={styles.waiting}>
      <form className={styles.login} onSubmit={submit} aria-labelledby={`${id}-title`}>
        <Logo className={styles.logo} />
        <h1 id={`${id}-title`} className={styles.title}>
          Moderation
        </h1>
        <p className={styles.muted}>For moderators. Everything you do and look at here is recorded.</p>
        <label className={styles.field}>
          Name
          <input name="name" autoComplete="username" autoCapitalize="none" spellCheck={false} required maxLength={64} />
        </label>
        <label className={styles.field}>
          Password
          <input name="password" type="password" autoComplete="current-password" required maxLength={256} />
        </label>
        <label className={styles.field}>
          Code
          <input name="code" inputMode="numeric" autoComplete="one-time-code" required maxLength={8} />
        </label>
        <p role="alert" className={styles.error}>
          {trouble && (
            <>
              <WarningIcon />
              <span>{trouble}</span>
            </>
          )}
        </p>
        <Button type="submit" wide disabled={store.busy.value}>
          {store.busy.value ? 'Logging in...' : 'Log in'}
        </Button>
      </form>
    </main>
  )
}
