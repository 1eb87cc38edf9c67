import { Link, useNavigate } from 'react-router-dom'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { LanguageMenu } from '../../ui/frame/language-menu.tsx'
import { CloseIcon } from '../../ui/icon.tsx'
import { ABOUT, PRIVACY } from '../../ui/links.ts'
import { Avatar } from '../../ui/members/avatar.tsx'
import { DialogButton } from '../../ui/members/dialog-button.tsx'
import { Rich } from '../../ui/rich.tsx'
import { usePopover } from '../../ui/use-popover.ts'
import { useAccount } from '../use-account.ts'
import { MyData } from './my-data.tsx'
import styles from './profile-popup.module.css'

/** The greeting at the top right and its popup with the user's account and logout. */
export function ProfilePopup() {
  const { account } = useAccount()
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
          <button
            type="button"
            aria-label={t('frame.close')}
            className={classNames('icon-button', styles.close)}
            onClick={popup.close}
          >
            <CloseIcon />
          </button>
        </div>
        <Picture className={styles.large} />
        <p className={styles.nickname}>{account.nickName}</p>
        <DialogButton
          variant="quiet"
          load={async () => {
            const { ProfileEditor } = await import('../profile-editor/profile-editor.tsx')
            return (close) => <ProfileEditor onClose={close} />
          }}
          texts={['welcome', 'profile']}
          failed="frame.edit-profile.failed"
          noteClass="fault"
        >
          {t('frame.edit-profile')}
        </DialogButton>
        <Button variant="quiet" onClick={logout}>
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
  const { account } = useAccount()
  return <Avatar src={account.picture.value} alt="" className={className} />
}
