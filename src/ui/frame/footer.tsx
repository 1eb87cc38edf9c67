import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { PageConfig } from '#protocol/page-config.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Icon } from '../icon.tsx'
import { REPORT_CONTENT, SERVICE_STATUS, TRANSPARENCY } from '../links.ts'
import { CookieSettings } from './cookies.tsx'
import styles from './footer.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { ContactLink } from './linked.tsx'
import { useOperator } from './use-operator.ts'

type Social = { name: keyof PageConfig['socialLinks']; brand: string; drawing: ReactNode }

/** In the order of the links. Brands are not translated. */
const social: readonly Social[] = [
  {
    name: 'linkedin',
    brand: 'LinkedIn',
    drawing: (
      <path d="M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM8 11v5M8 8v.01M12 16v-5M12 13c0-2.7 4-2.7 4 0v3" />
    ),
  },
  {
    name: 'twitter',
    brand: 'Twitter',
    drawing: <path d="m4.5 4.5 11 15h4l-11-15zM19 4.5l-6 6.4M5 19.5l6-6.4" />,
  },
  {
    name: 'instagram',
    brand: 'Instagram',
    drawing: (
      <>
        <rect x="4" y="4" width="16" height="16" rx="4.5" />
        <circle cx="12" cy="12" r="3.6" />
        <path d="M16.6 7.4v.01" />
      </>
    ),
  },
  {
    name: 'facebook',
    brand: 'Facebook',
    drawing: (
      <>
        <circle cx="12" cy="12" r="8.5" />
        <path d="M14.8 8.2H14c-1.2 0-1.8.7-1.8 1.8v10.4M9.8 13h4.6" />
      </>
    ),
  },
  {
    name: 'whatsapp',
    brand: 'WhatsApp',
    drawing: (
      <>
        <path d="m4 20 1.2-4.2a8.2 8.2 0 1 1 3.1 3z" />
        <path d="M9.2 8.4c-.8 2.6 3.5 7 6.2 6.3M9.2 8.4l1 2M15.4 14.7l-1.8-1" />
      </>
    ),
  },
  {
    name: 'snapchat',
    brand: 'Snapchat',
    drawing: (
      <path d="M12 4c-2.7 0-4.2 1.9-4.2 4.4v2.1l-1.6-.5c0 1.6 1.2 1.9 1.6 2.2-.4 1.7-1.7 3-3.3 3.6.4 1.2 2 1 2.6 1.4.4.3.1 1 .8 1.2.8.2 1.7-.3 2.4.2.5.4 1 .9 1.7.9s1.2-.5 1.7-.9c.7-.5 1.6 0 2.4-.2.7-.2.4-.9.8-1.2.6-.4 2.2-.2 2.6-1.4-1.6-.6-2.9-1.9-3.3-3.6.4-.3 1.6-.6 1.6-2.200l-1.6.5V8.400C16.2 5.9 14.7 4 12 4z" />
    ),
  },
  {
    name: 'youtube',
    brand: 'YouTube',
    drawing: (
      <>
        <rect x="3" y="6" width="18" height="12" rx="3.5" />
        <path d="m10.5 9.5 4 2.5-4 2.500z" />
      </>
    ),
  },
  {
    name: 'tiktok',
    brand: 'TikTok',
    drawing: <path d="M13 4v11.200a3.3 3.3 0 1 1-3.3-3.300M13 4c.3 2.7 2 4.4 4.7 4.6" />,
  },
]

/** The footer with slogan, contact, social links and copyright. Links that are not configured are left out. */
export function Footer() {
  const operator = useOperator()
  const t = useTexts()
  return (
    <footer className={styles.footer}>
      {operator && <SocialLinks links={operator.socialLinks} />}
      <p>
        {t('first.slogan')} {operator && <ContactLink />}
      </p>
      <Link to={REPORT_CONTENT.to} className={styles.report}>
        {t(REPORT_CONTENT.text)}
      </Link>
      <p>{t('frame.rights')}</p>
      <Link to={TRANSPARENCY.to}>{t(TRANSPARENCY.text)}</Link>
      <Link to={SERVICE_STATUS.to}>{t(SERVICE_STATUS.text)}</Link>
      <LanguageMenu />
      <CookieSettings />
    </footer>
  )
}

function SocialLinks({ links }: { links: PageConfig['socialLinks'] }) {
  const t = useTexts()
  const configured = social.flatMap((each) => {
    const href = links[each.name]
    return href === null ? [] : [{ ...each, href }]
  })
  if (configured.length === 0) return null
  return (
    <ul className={styles.social} aria-label={t('frame.follow')}>
      {configured.map(({ name, brand, drawing, href }) => (
        <li key={name}>
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={name === 'whatsapp' ? t('frame.whatsapp') : brand}
          >
            <Icon>{drawing}</Icon>
          </a>
        </li>
      ))}
    </ul>
  )
}
