import { Link, useNavigate } from 'react-router-dom'
import { useVisitor } from '../stores/stores.ts'
import { Avatar } from './avatar.tsx'
import { Button } from './button.tsx'
import { EditProfile } from './edit-profile.tsx'
import { CloseIcon } from './icon.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { ABOUT, PRIVACY } from './links.ts'
import { MyData } from './my-data.tsx'
import styles from './profile-popup.module.css'
import { Rich } from './rich.tsx'
import { usePopover } from './use-popover.ts'
import { useTexts } from './use-texts.ts'

/** The greeting at the top right and its popup with the user's account and logout. */
export function ProfilePopup() {
  const { account } = useVisitor()
  const t = useTexts()
  const navigate = useNavigate()
  const popup = usePopover<HTMLElement>()

  function logout(): void {
    account.logout()
    navigate('/', { replace: true })
  }

  return (
    <>
      <button type="button" className={styles.greeting} {...popup.opener}>
        <span className={styles.hi}>
          <Rich
            text={t('frame.greeting')}
            tags={{ name: () => <span className={styles.name}>{account.nickName}</span> }}
          />
        </span>
        <Picture className={styles.small} />
      </button>
      <section aria-label={t('frame.profile')} className={styles.popup} {...popup.popover}>
        <div className={styles.head}>
          <p className={styles.email}>{account.email}</p>
          <button type="button" aria-label={t('frame.close')} className={styles.close} onClick={popup.close}>
            <CloseIcon />
          </button>
        </div>
        <Picture className={styles.large} />
        <p className={styles.nickname}>{account.nickName}</p>
        <EditProfile />
        <Button look="quiet" onClick={logout}>
          {t('frame.logout')}
        </Button>
        <LanguageMenu />
        <MyData />
        <p className={styles.links}>
          <Link to={PRIVACY.to}>{t(PRIVACY.text)}</Link>
          <Link to={ABOUT.to}>{t(ABOUT.text)}</Link>
        </p>
      </section>
    </>
  )
}

function Picture({ className }: { className: string | undefined }) {
  const { account } = useVisitor()
  return <Avatar src={account.picture.value} alt="" className={className} />
}
