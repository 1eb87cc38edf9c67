import { useTexts } from '../../platform/use-texts.ts'
import { Article } from '../../ui/frame/article.tsx'
import { section, usePublicFacts } from '../use-public-facts.tsx'

export function AboutPage() {
  const t = useTexts()
  const { providers, checks, curtain, hasContact } = usePublicFacts()
  return (
    <Article
      title={t('about.title')}
      lead={`${t('first.slogan')} ${t('about.lead')}`}
      sections={[
        section('how-it-works', t('about.how'), {
          steps: [
            t('about.how.sign-in', { providers }),
            t('about.how.camera'),
            t('about.how.match'),
            t('about.how.next'),
          ],
        }),
        section('who-it-is-for', t('about.who'), t('about.who.text')),
        section('meet', t('about.meet'), t('about.meet.shared'), t('about.meet.no-gender')),
        section('direct', t('about.direct'), t('about.direct.text')),
        section(
          'safe',
          t('about.safe'),
          `${t('about.safe.rules')} ${t(`about.safe.checks.${checks}`)} ${t(`about.safe.curtain.${curtain}`)}`,
          t('about.safe.more'),
        ),
        ...(hasContact ? [section('contact', t('about.contact'), t('about.contact.text'))] : []),
      ]}
    />
  )
}
