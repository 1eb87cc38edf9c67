import type { Translate } from '../../platform/texts/texts.ts'
import type { Section } from '../../ui/frame/article.tsx'
import { Linked } from '../../ui/frame/linked.tsx'
import type { PublicFacts } from '../use-public-facts.ts'

/** Sections about the data that is collected, seen and stored. */
export function dataSections(t: Translate, { providers, checks, curtain }: PublicFacts): readonly Section[] {
  return [
    {
      id: 'profile',
      title: t('privacy.profile'),
      body: (
        <>
          <p>{t('privacy.profile.intro')}</p>
          <ul>
            <li>{t('privacy.profile.email', { providers })}</li>
            <li>{t('privacy.profile.nickname')}</li>
            <li>{t('privacy.profile.gender')}</li>
            <li>{t('privacy.profile.preferences')}</li>
            <li>{t('privacy.profile.birth')}</li>
            <li>{t('privacy.profile.picture')}</li>
          </ul>
          <p>{t('privacy.profile.technical')}</p>
          <p>{t('privacy.profile.activity')}</p>
        </>
      ),
    },
    { id: 'conversations', title: t('privacy.conversations'), body: <p>{t('privacy.conversations.text')}</p> },
    { id: 'others', title: t('privacy.others'), body: <p>{t('privacy.others.text')}</p> },
    {
      id: 'moderation',
      title: t('privacy.moderation'),
      body: (
        <>
          <p>
            {t('privacy.frames.sent')} {t(`privacy.frames.${checks}`)} {t('privacy.frames.kept')}
          </p>
          <p>{t(`privacy.curtain.${curtain}`)}</p>
          <p>
            <Linked text={t('privacy.content-notices')} />
          </p>
        </>
      ),
    },
    {
      id: 'kept',
      title: t('privacy.kept'),
      body: (
        <>
          <ul>
            <li>{t('privacy.kept.account')}</li>
            <li>{t('privacy.kept.met')}</li>
            <li>{t('privacy.kept.reports')}</li>
            <li>{t('privacy.kept.calls')}</li>
            <li>{t('privacy.kept.visits')}</li>
            <li>{t('privacy.kept.codes')}</li>
            <li>{t('privacy.kept.content-notices')}</li>
            <li>{t('privacy.kept.logs')}</li>
            <li>{t('privacy.kept.deleted')}</li>
          </ul>
          <p>{t('privacy.kept.longer')}</p>
        </>
      ),
    },
    { id: 'cookies', title: t('privacy.cookies'), body: <p>{t('privacy.cookies.text')}</p> },
  ]
}
