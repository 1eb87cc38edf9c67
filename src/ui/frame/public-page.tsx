import type { ReactNode } from 'react'
import { CookieBanner } from './cookies.tsx'
import { Footer } from './footer.tsx'
import styles from './public-page.module.css'
import { PublicLinks, TopBar } from './top-bar.tsx'
import { useTitle } from './use-title.ts'

/** The layout of every public page; `title` is that of the document. */
export function PublicPage({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <div className={styles.page}>
      <TopBar>
        <PublicLinks />
      </TopBar>
      <main className={styles.main}>{children}</main>
      <Footer />
      <CookieBanner />
    </div>
  )
}
