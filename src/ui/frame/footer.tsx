import { Link } from 'react-router-dom'
import type { PageConfig } from '#protocol/page-config.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { REPORT_CONTENT, SERVICE_STATUS, TRANSPARENCY } from '../links.ts'
import { ContactLink } from './contact-link.tsx'
import { CookieSettings } from './cookie-settings.tsx'
import styles from './footer.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { SocialIcon, type SocialName } from './social-icon.tsx'
import { useOperator } from './use-operator.ts'

/** The brand names are not translated. */
const social: readonly { name: SocialName; text: string }[] = [
  { name: 'linkedin', text: 'LinkedIn' },
  { name: 'twitter', text: 'Twitter' },
  { name: 'instagram', text: 'Instagram' },
  { name: 'facebook', text: 'Facebook' },
  { name: 'whatsapp', text: 'WhatsApp' },
  { name: 'snapchat', text: 'Snapchat' },
  { name: 'youtube', text: 'YouTube' },
  { name: 'tiktok', text: 'TikTok' },
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
  const configured = social.flatMap(({ name, text }) => {
    const href = links[name]
    return href === null ? [] : [{ name, text, href }]
  })
  if (configured.length === 0) return null
  return (
    <ul className={styles.social} aria-label={t('frame.follow')}>
      {configured.map(({ name, text, href }) => (
        <li key={name}>
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={name === 'whatsapp' ? t('frame.whatsapp') : text}
          >
            <SocialIcon name={name} />
          </a>
        </li>
      ))}
    </ul>
  )
}
