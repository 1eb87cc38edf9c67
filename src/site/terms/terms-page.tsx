import type { Translate } from '../../platform/texts/texts.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Article, type Section } from '../../ui/frame/article.tsx'
import { Paragraphs, type PublicFacts, usePublicFacts } from '../use-public-facts.tsx'

const rules = ['respect', 'pressure', 'explicit', 'spam', 'impersonate', 'record', 'fraud'] as const
const precautions = ['share', 'passwords', 'careful', 'leave', 'meet'] as const

export function TermsPage() {
  const t = useTexts()
  const facts = usePublicFacts()
  return (
    <Article
      title={t('frame.terms')}
      updated="2024-03-01"
      lead={t('terms.lead')}
      sections={[...communitySections(t), ...serviceSections(t, facts)]}
    />
  )
}

/** Returns the sections with the community guidelines. 'View Guidelines' links to them. */
function communitySections(t: Translate): readonly Section[] {
  return [
    { id: 'adults', title: t('terms.adults'), body: <p>{t('terms.adults.text')}</p> },
    {
      id: 'community-rules',
      title: t('terms.rules'),
      body: (
        <ul>
          {rules.map((rule) => (
            <li key={rule}>{t(`terms.rules.${rule}`)}</li>
          ))}
        </ul>
      ),
    },
    {
      id: 'stay-safe',
      title: t('terms.safe'),
      body: (
        <ul>
          {precautions.map((advice) => (
            <li key={advice}>{t(`terms.safe.${advice}`)}</li>
          ))}
        </ul>
      ),
    },
    {
      id: 'reports',
      title: t('terms.reports'),
      body: <Paragraphs of={[t('terms.reports.steps'), t('terms.reports.block'), t('terms.reports.anybody')]} />,
    },
    { id: 'responsibility', title: t('terms.responsibility'), body: <p>{t('terms.responsibility.text')}</p> },
  ]
}

/** Returns the sections with the terms of the service. */
function serviceSections(t: Translate, { providers, checks, curtain, hasContact }: PublicFacts): readonly Section[] {
  return [
    { id: 'account', title: t('terms.account'), body: <p>{t('terms.account.text', { providers })}</p> },
    {
      id: 'moderation',
      title: t('terms.moderation'),
      body: (
        <Paragraphs
          of={[
            `${t(`terms.moderation.checks.${checks}`)} ${t(`terms.moderation.curtain.${curtain}`)} ${t('terms.moderation.text')}`,
          ]}
        />
      ),
    },
    { id: 'service', title: t('terms.service'), body: <p>{t('terms.service.text')}</p> },
    { id: 'payments', title: t('terms.payments'), body: <p>{t('terms.payments.text')}</p> },
    { id: 'changes', title: t('terms.changes'), body: <p>{t('terms.changes.text')}</p> },
    ...(hasContact
      ? [{ id: 'contact', title: t('terms.contact'), body: <Paragraphs of={[t('terms.contact.text')]} /> }]
      : []),
  ]
}
