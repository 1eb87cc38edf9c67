import { COPYRIGHT_YEAR, PRODUCT_NAME, SLOGAN } from '#protocol/constants.ts'
import { CookieSettings } from './cookie-settings.tsx'
import styles from './footer.module.css'
import { SocialIcon, type SocialName } from './social-icon.tsx'
import { useOperator } from './use-operator.ts'

const social: readonly { name: SocialName; text: string }[] = [
  { name: 'linkedin', text: 'LinkedIn' },
  { name: 'twitter', text: 'Twitter' },
  { name: 'instagram', text: 'Instagram' },
  { name: 'facebook', text: 'Facebook' },
  { name: 'whatsapp', text: 'WhatsApp channel' },
  { name: 'snapchat', text: 'Snapchat' },
  { name: 'youtube', text: 'YouTube' },
  { name: 'tiktok', text: 'TikTok' },
]

/** Slogan, contact, social links and the copyright line. */
export function Footer() {
  const operator = useOperator()
  return (
    <footer className={styles.footer}>
      <ul className={styles.social} aria-label="Follow us">
        {social.map(({ name, text }) => (
          <li key={name}>
            <a href={operator?.socialLinks[name]} target="_blank" rel="noopener noreferrer" aria-label={text}>
              <SocialIcon name={name} />
            </a>
          </li>
        ))}
      </ul>
      <p>
        {SLOGAN} <ContactLink />
      </p>
      <p>
        © {COPYRIGHT_YEAR} {PRODUCT_NAME}. All rights reserved.
      </p>
      <CookieSettings />
    </footer>
  )
}

export function ContactLink() {
  const operator = useOperator()
  return operator && <a href={`mailto:${operator.contactEmail}`}>{operator.contactEmail}</a>
}
