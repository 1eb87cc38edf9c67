import type { Translate } from '../../platform/texts/texts.ts'
import type { Section } from '../../ui/frame/article.tsx'
import { Linked } from '../../ui/frame/linked.tsx'
import type { PublicFacts } from '../use-public-facts.ts'

/** Sections with the terms of the service. */
export function serviceSections(
  t: Translate,
  { providers, checks, curtain, hasContact }: PublicFacts,
): readonly Section[] {
  return [
    { id: 'account', title: t('terms.account'), body: <p>{t('terms.account.text', { providers })}</p> },
    {
      id: 'moderation',
      title: t('terms.moderation'),
      body: (
        <p>
          {t(`terms.moderation.checks.${checks}`)} {t(`terms.moderation.curtain.${curtain}`)}{' '}
          <Linked text={t('terms.moderation.text')} />
        </p>
      ),
    },
    { id: 'service', title: t('terms.service'), body: <p>{t('terms.service.text')}</p> },
    { id: 'payments', title: t('terms.payments'), body: <p>{t('terms.payments.text')}</p> },
    { id: 'changes', title: t('terms.changes'), body: <p>{t('terms.changes.text')}</p> },
    ...(hasContact ? [contactSection(t)] : []),
  ]
}

function contactSection(t: Translate): Section {
  return {
    id: 'contact',
    title: t('terms.contact'),
    body: (
      <p>
        <Linked text={t('terms.contact.text')} />
      </p>
    ),
  }
}
