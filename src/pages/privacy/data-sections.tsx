import type { Section } from '../../parts/article.tsx'
import type { Translate } from '../../stores/texts.ts'
import { FrameNote } from './frame-note.tsx'

/** Sections about the data that is collected, seen and stored. */
export function dataSections(t: Translate): readonly Section[] {
  return [
    {
      id: 'profile',
      title: t('privacy.profile'),
      body: (
        <>
          <p>{t('privacy.profile.intro')}</p>
          <ul>
            <li>{t('privacy.profile.email')}</li>
            <li>{t('privacy.profile.nickname')}</li>
            <li>{t('privacy.profile.gender')}</li>
            <li>{t('privacy.profile.birth')}</li>
            <li>{t('privacy.profile.picture')}</li>
          </ul>
          <p>{t('privacy.profile.technical')}</p>
        </>
      ),
    },
    { id: 'conversations', title: t('privacy.conversations'), body: <p>{t('privacy.conversations.text')}</p> },
    { id: 'others', title: t('privacy.others'), body: <p>{t('privacy.others.text')}</p> },
    { id: 'moderation', title: t('privacy.moderation'), body: <FrameNote /> },
    { id: 'cookies', title: t('privacy.cookies'), body: <p>{t('privacy.cookies.text')}</p> },
  ]
}
