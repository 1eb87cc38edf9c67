import type { Translate } from '../../platform/texts/texts.ts'
import type { Section } from '../../ui/frame/article.tsx'
import { Linked } from '../../ui/frame/linked.tsx'
import type { PublicFacts } from '../use-public-facts.ts'

/** Sections about third parties and the user's rights. */
export function rightsSections(t: Translate, { providers, hasContact }: PublicFacts): readonly Section[] {
  return [
    { id: 'sharing', title: t('privacy.sharing'), body: <p>{t('privacy.sharing.text', { providers })}</p> },
    { id: 'security', title: t('privacy.security'), body: <p>{t('privacy.security.text')}</p> },
    {
      id: 'rights',
      title: t('privacy.rights'),
      body: (
        <>
          <p>{t('privacy.rights.text')}</p>
          <p>
            {t('privacy.rights.copy')} {t('privacy.rights.correct')}
          </p>
          {hasContact && (
            <p>
              <Linked text={t('privacy.rights.write')} />
            </p>
          )}
        </>
      ),
    },
    {
      id: 'deletion',
      title: t('privacy.deletion'),
      body: (
        <>
          <p>{t('privacy.deletion.here')}</p>
          <p>
            {hasContact && <Linked text={t('privacy.deletion.write')} />} {t('privacy.deletion.text')}
          </p>
          <p>
            <Linked text={t('privacy.deletion.facebook')} />
          </p>
        </>
      ),
    },
    { id: 'payments', title: t('privacy.payments'), body: <p>{t('privacy.payments.text')}</p> },
    {
      id: 'changes',
      title: t('privacy.changes'),
      body: (
        <p>
          <Linked text={t('privacy.changes.text')} /> {hasContact && <Linked text={t('privacy.changes.contact')} />}
        </p>
      ),
    },
  ]
}
