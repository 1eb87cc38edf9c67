import type { Translate } from '../../platform/texts/texts.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Article, type Section } from '../../ui/frame/article.tsx'
import { Linked } from '../../ui/frame/linked.tsx'
import { Paragraphs, type PublicFacts, usePublicFacts } from '../use-public-facts.tsx'

const kept = ['account', 'met', 'reports', 'calls', 'visits', 'codes', 'content-notices', 'logs', 'deleted'] as const

export function PrivacyPage() {
  const t = useTexts()
  const facts = usePublicFacts()
  return (
    <Article
      title={t('frame.privacy')}
      updated="2024-03-01"
      lead={t('privacy.lead')}
      sections={[...dataSections(t, facts), ...rightsSections(t, facts)]}
    />
  )
}

/** Returns the sections about the data that is collected, seen and stored. */
function dataSections(t: Translate, { providers, checks, curtain }: PublicFacts): readonly Section[] {
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
        <Paragraphs
          of={[
            `${t('privacy.frames.sent')} ${t(`privacy.frames.${checks}`)} ${t('privacy.frames.kept')}`,
            t(`privacy.curtain.${curtain}`),
            t('privacy.content-notices'),
          ]}
        />
      ),
    },
    {
      id: 'kept',
      title: t('privacy.kept'),
      body: (
        <>
          <ul>
            {kept.map((what) => (
              <li key={what}>{t(`privacy.kept.${what}`)}</li>
            ))}
          </ul>
          <p>{t('privacy.kept.longer')}</p>
        </>
      ),
    },
    { id: 'cookies', title: t('privacy.cookies'), body: <p>{t('privacy.cookies.text')}</p> },
  ]
}

/** Returns the sections about third parties and the user's rights. */
function rightsSections(t: Translate, { providers, hasContact }: PublicFacts): readonly Section[] {
  return [
    { id: 'sharing', title: t('privacy.sharing'), body: <p>{t('privacy.sharing.text', { providers })}</p> },
    { id: 'security', title: t('privacy.security'), body: <p>{t('privacy.security.text')}</p> },
    {
      id: 'rights',
      title: t('privacy.rights'),
      body: (
        <Paragraphs
          of={[
            t('privacy.rights.text'),
            `${t('privacy.rights.copy')} ${t('privacy.rights.correct')}`,
            hasContact && t('privacy.rights.write'),
          ]}
        />
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
          <Paragraphs of={[t('privacy.deletion.facebook')]} />
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
