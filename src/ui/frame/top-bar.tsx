import type { ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router-dom'
import { givesEntryAway } from '../../platform/rules/history-entry.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { classNames } from '../class-names.ts'
import { HomeIcon, MoreIcon } from '../icons.tsx'
import { ABOUT, HOME, PRIVACY, TERMS } from '../links.ts'
import { Logo } from '../logo.tsx'
import { usePopover } from '../use-popover.ts'
import styles from './top-bar.module.css'

/** The top bar. `children` are on its right side. */
export function TopBar({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <header className={styles.bar}>
      <Link to="/" replace={givesEntryAway(pathname)} className={styles.logo}>
        <Logo />
      </Link>
      {children}
    </header>
  )
}

export function PublicLinks() {
  const t = useTexts()
  return (
    <nav aria-label={t('frame.main')} className={styles.nav}>
      <WideLinks />
      <NarrowLinks />
    </nav>
  )
}

function WideLinks() {
  const t = useTexts()
  const { pathname } = useLocation()
  return (
    <ul className={styles.wide}>
      {[HOME, PRIVACY, TERMS, ABOUT].map(({ to, text }) => (
        <li key={to}>
          <NavLink to={to} end replace={to === HOME.to && givesEntryAway(pathname)} className={classNames(styles.link)}>
            {t(text)}
          </NavLink>
        </li>
      ))}
    </ul>
  )
}

function NarrowLinks() {
  const t = useTexts()
  const { pathname } = useLocation()
  const menu = usePopover<HTMLUListElement>()
  return (
    <div className={styles.narrow}>
      <NavLink
        to={HOME.to}
        end
        replace={givesEntryAway(pathname)}
        className={classNames('icon-button', styles.icon)}
        aria-label={t(HOME.text)}
      >
        <HomeIcon />
      </NavLink>
      <button
        type="button"
        className={classNames('icon-button', styles.icon)}
        aria-label={t('frame.more')}
        {...menu.opener}
      >
        <MoreIcon />
      </button>
      <ul className={styles.menu} {...menu.popover}>
        {[PRIVACY, TERMS, ABOUT].map(({ to, text }) => (
          <li key={to}>
            <NavLink to={to} end className={classNames(styles.link)} onClick={menu.close}>
              {t(text)}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
