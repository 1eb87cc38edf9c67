import { CookieSettings } from './cookie-settings.tsx'
import styles from './footer.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { SocialIcon, type SocialName } from './social-icon.tsx'
import { useOperator } from './use-operator.ts'
import { useTexts } from './use-texts.ts'

/** Brand names, which are not translated. */
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

/** The footer with slogan, contact, social links and copyright. */
export function Footer() {
  const operator = useOperator()
  const t = useTexts()
  return (
    <footer className={styles.footer}>
      <ul className={styles.social} aria-label={t('frame.follow')}>
        {social.map(({ name, text }) => (
          <li key={name}>
            <a
              href={operator?.socialLinks[name]}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={name === 'whatsapp' ? t('frame.whatsapp') : text}
            >
              <SocialIcon name={name} />
            </a>
          </li>
        ))}
      </ul>
      <p>
        {t('first.slogan')} <ContactLink />
      </p>
      <p>{t('frame.rights')}</p>
      <LanguageMenu />
      <CookieSettings />
    </footer>
  )
}

export function ContactLink() {
  const operator = useOperator()
  return operator && <a href={`mailto:${operator.contactEmail}`}>{operator.contactEmail}</a>
}
