import { useTexts } from '../../platform/use-texts.ts'
import { Article } from '../../ui/frame/article.tsx'
import { section, usePublicFacts } from '../use-public-facts.tsx'

const kept = ['account', 'met', 'reports', 'calls', 'visits', 'codes', 'content-notices', 'logs', 'deleted'] as const

export function PrivacyPage() {
  const t = useTexts()
  const { providers, checks, curtain, hasContact } = usePublicFacts()
  return (
    <Article
      title={t('frame.privacy')}
      updated="2024-03-01"
      lead={t('privacy.lead')}
      sections={[
        section(
          'profile',
          t('privacy.profile'),
          t('privacy.profile.intro'),
          [
            t('privacy.profile.email', { providers }),
            t('privacy.profile.nickname'),
            t('privacy.profile.gender'),
            t('privacy.profile.preferences'),
            t('privacy.profile.birth'),
            t('privacy.profile.picture'),
          ],
          t('privacy.profile.technical'),
          t('privacy.profile.activity'),
        ),
        section('conversations', t('privacy.conversations'), t('privacy.conversations.text')),
        section('others', t('privacy.others'), t('privacy.others.text')),
        section(
          'moderation',
          t('privacy.moderation'),
          `${t('privacy.frames.sent')} ${t(`privacy.frames.${checks}`)} ${t('privacy.frames.kept')}`,
          t(`privacy.curtain.${curtain}`),
          t('privacy.content-notices'),
        ),
        section(
          'kept',
          t('privacy.kept'),
          kept.map((what) => t(`privacy.kept.${what}`)),
          t('privacy.kept.longer'),
        ),
        section('cookies', t('privacy.cookies'), t('privacy.cookies.text')),
        section('sharing', t('privacy.sharing'), t('privacy.sharing.text', { providers })),
        section('security', t('privacy.security'), t('privacy.security.text')),
        section(
          'rights',
          t('privacy.rights'),
          t('privacy.rights.text'),
          `${t('privacy.rights.copy')} ${t('privacy.rights.correct')}`,
          hasContact && t('privacy.rights.write'),
        ),
        section(
          'deletion',
          t('privacy.deletion'),
          t('privacy.deletion.here'),
          `${hasContact ? t('privacy.deletion.write') : ''} ${t('privacy.deletion.text')}`,
          t('privacy.deletion.facebook'),
        ),
        section('payments', t('privacy.payments'), t('privacy.payments.text')),
        section(
          'changes',
          t('privacy.changes'),
          `${t('privacy.changes.text')} ${hasContact ? t('privacy.changes.contact') : ''}`,
        ),
      ]}
    />
  )
}
