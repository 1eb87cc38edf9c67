import type { Translate } from '../../platform/texts/texts.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Article, type Section } from '../../ui/frame/article.tsx'
import { Linked } from '../../ui/frame/linked.tsx'
import { Paragraphs, type PublicFacts, usePublicFacts } from '../use-public-facts.tsx'

function sectionsIn(t: Translate, facts: PublicFacts): readonly Section[] {
  return [
    {
      id: 'ask',
      title: t('data-deletion.ask'),
      body: (
        <>
          <p>{t('data-deletion.ask.here')}</p>
          {facts.hasContact ? <AskByEmail providers={facts.providers} /> : <p>{t('data-deletion.ask.time')}</p>}
        </>
      ),
    },
    {
      id: 'what',
      title: t('data-deletion.what'),
      body: <Paragraphs of={[t('data-deletion.what.text'), t('data-deletion.what.kept')]} />,
    },
    ...(facts.offersFacebook ? [facebookSection(t)] : []),
    {
      id: 'more',
      title: t('data-deletion.more'),
      body: <Paragraphs of={[t('data-deletion.more.text')]} />,
    },
  ]
}

function facebookSection(t: Translate): Section {
  return {
    id: 'facebook',
    title: t('data-deletion.facebook'),
    body: (
      <>
        <p>{t('data-deletion.facebook.text')}</p>
        <ol>
          <li>{t('data-deletion.facebook.settings')}</li>
          <li>{t('data-deletion.facebook.apps')}</li>
          <li>{t('data-deletion.facebook.remove')}</li>
        </ol>
      </>
    ),
  }
}

function AskByEmail({ providers }: { providers: string }) {
  const t = useTexts()
  return (
    <>
      <p>{t('data-deletion.ask.mail')}</p>
      <ol>
        <li>
          <Linked text={t('data-deletion.ask.write', { providers })} />
        </li>
        <li>{t('data-deletion.ask.subject')}</li>
        <li>{t('data-deletion.ask.confirm')}</li>
        <li>{t('data-deletion.ask.deleted')}</li>
      </ol>
    </>
  )
}

export function DataDeletionPage() {
  const t = useTexts()
  const facts = usePublicFacts()
  return <Article title={t('data-deletion.title')} lead={t('data-deletion.lead')} sections={sectionsIn(t, facts)} />
}
