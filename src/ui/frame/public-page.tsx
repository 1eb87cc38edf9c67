import type { ReactNode } from 'react'
import { CookieBanner } from './cookies.tsx'
import { Footer } from './footer.tsx'
import styles from './public-page.module.css'
import { PublicLinks, TopBar } from './top-bar.tsx'

/** The layout of every public page. */
export function PublicPage({ children }: { children: ReactNode }) {
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
