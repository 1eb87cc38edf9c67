import { useTexts } from '../../platform/use-texts.ts'
import { Article } from '../../ui/frame/article.tsx'
import { section, usePublicFacts } from '../use-public-facts.tsx'

const rules = ['respect', 'pressure', 'explicit', 'spam', 'impersonate', 'record', 'fraud'] as const
const precautions = ['share', 'passwords', 'careful', 'leave', 'meet'] as const

/** The community guidelines, to which 'View Guidelines' links, and the terms of the service. */
export function TermsPage() {
  const t = useTexts()
  const { providers, checks, curtain, hasContact } = usePublicFacts()
  const moderation = `${t(`terms.moderation.checks.${checks}`)} ${t(`terms.moderation.curtain.${curtain}`)}`
  return (
    <Article
      title={t('frame.terms')}
      updated="2024-03-01"
      lead={t('terms.lead')}
      sections={[
        section('adults', t('terms.adults'), t('terms.adults.text')),
        section(
          'community-rules',
          t('terms.rules'),
          rules.map((rule) => t(`terms.rules.${rule}`)),
        ),
        section(
          'stay-safe',
          t('terms.safe'),
          precautions.map((advice) => t(`terms.safe.${advice}`)),
        ),
        section(
          'reports',
          t('terms.reports'),
          t('terms.reports.steps'),
          t('terms.reports.block'),
          t('terms.reports.anybody'),
        ),
        section('responsibility', t('terms.responsibility'), t('terms.responsibility.text')),
        section('account', t('terms.account'), t('terms.account.text', { providers })),
        section('moderation', t('terms.moderation'), `${moderation} ${t('terms.moderation.text')}`),
        section('service', t('terms.service'), t('terms.service.text')),
        section('payments', t('terms.payments'), t('terms.payments.text')),
        section('changes', t('terms.changes'), t('terms.changes.text')),
        ...(hasContact ? [section('contact', t('terms.contact'), t('terms.contact.text'))] : []),
      ]}
    />
  )
}
