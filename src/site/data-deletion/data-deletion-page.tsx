import { useTexts } from '../../platform/use-texts.ts'
import { Article } from '../../ui/frame/article.tsx'
import { section, usePublicFacts } from '../use-public-facts.tsx'

export function DataDeletionPage() {
  const t = useTexts()
  const { providers, hasContact, offersFacebook } = usePublicFacts()
  const byEmail = [
    t('data-deletion.ask.mail'),
    {
      steps: [
        t('data-deletion.ask.write', { providers }),
        t('data-deletion.ask.subject'),
        t('data-deletion.ask.confirm'),
        t('data-deletion.ask.deleted'),
      ],
    },
  ]
  const atFacebook = section('facebook', t('data-deletion.facebook'), t('data-deletion.facebook.text'), {
    steps: [t('data-deletion.facebook.settings'), t('data-deletion.facebook.apps'), t('data-deletion.facebook.remove')],
  })
  return (
    <Article
      title={t('data-deletion.title')}
      lead={t('data-deletion.lead')}
      sections={[
        section(
          'ask',
          t('data-deletion.ask'),
          t('data-deletion.ask.here'),
          ...(hasContact ? byEmail : [t('data-deletion.ask.time')]),
        ),
        section('what', t('data-deletion.what'), t('data-deletion.what.text'), t('data-deletion.what.kept')),
        ...(offersFacebook ? [atFacebook] : []),
        section('more', t('data-deletion.more'), t('data-deletion.more.text')),
      ]}
    />
  )
}
