import type { Translate } from '../../platform/texts/texts.ts'
import type { Section } from '../../ui/frame/article.tsx'
import { Linked } from '../../ui/frame/linked.tsx'

/** Sections with the community guidelines; 'View Guidelines' links here. */
export function communitySections(t: Translate): readonly Section[] {
  return [
    { id: 'adults', title: t('terms.adults'), body: <p>{t('terms.adults.text')}</p> },
    {
      id: 'community-rules',
      title: t('terms.rules'),
      body: (
        <ul>
          <li>{t('terms.rules.respect')}</li>
          <li>{t('terms.rules.pressure')}</li>
          <li>{t('terms.rules.explicit')}</li>
          <li>{t('terms.rules.spam')}</li>
          <li>{t('terms.rules.impersonate')}</li>
          <li>{t('terms.rules.record')}</li>
          <li>{t('terms.rules.fraud')}</li>
        </ul>
      ),
    },
    {
      id: 'stay-safe',
      title: t('terms.safe'),
      body: (
        <ul>
          <li>{t('terms.safe.share')}</li>
          <li>{t('terms.safe.passwords')}</li>
          <li>{t('terms.safe.careful')}</li>
          <li>{t('terms.safe.leave')}</li>
          <li>{t('terms.safe.meet')}</li>
        </ul>
      ),
    },
    {
      id: 'reports',
      title: t('terms.reports'),
      body: (
        <>
          <p>{t('terms.reports.steps')}</p>
          <p>{t('terms.reports.block')}</p>
          <p>
            <Linked text={t('terms.reports.anybody')} />
          </p>
        </>
      ),
    },
    { id: 'responsibility', title: t('terms.responsibility'), body: <p>{t('terms.responsibility.text')}</p> },
  ]
}
