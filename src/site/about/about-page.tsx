import type { Translate } from '../../platform/texts/texts.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Article, type Section } from '../../ui/frame/article.tsx'
import { Paragraphs, type PublicFacts, usePublicFacts } from '../use-public-facts.tsx'

function sectionsIn(t: Translate, { providers, checks, curtain, hasContact }: PublicFacts): readonly Section[] {
  return [
    {
      id: 'how-it-works',
      title: t('about.how'),
      body: (
        <ol>
          <li>{t('about.how.sign-in', { providers })}</li>
          <li>{t('about.how.camera')}</li>
          <li>{t('about.how.match')}</li>
          <li>{t('about.how.next')}</li>
        </ol>
      ),
    },
    { id: 'who-it-is-for', title: t('about.who'), body: <p>{t('about.who.text')}</p> },
    {
      id: 'meet',
      title: t('about.meet'),
      body: <Paragraphs of={[t('about.meet.shared'), t('about.meet.no-gender')]} />,
    },
    { id: 'direct', title: t('about.direct'), body: <p>{t('about.direct.text')}</p> },
    {
      id: 'safe',
      title: t('about.safe'),
      body: (
        <Paragraphs
          of={[
            `${t('about.safe.rules')} ${t(`about.safe.checks.${checks}`)} ${t(`about.safe.curtain.${curtain}`)}`,
            t('about.safe.more'),
          ]}
        />
      ),
    },
    ...(hasContact
      ? [{ id: 'contact', title: t('about.contact'), body: <Paragraphs of={[t('about.contact.text')]} /> }]
      : []),
  ]
}

export function AboutPage() {
  const t = useTexts()
  const facts = usePublicFacts()
  const lead = `${t('first.slogan')} ${t('about.lead')}`
  return <Article title={t('about.title')} lead={lead} sections={sectionsIn(t, facts)} />
}
