import { Article, type Section } from '../../parts/article.tsx'
import { Linked } from '../../parts/linked.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import type { Translate } from '../../stores/texts.ts'

function sectionsIn(t: Translate): readonly Section[] {
  return [
    {
      id: 'ask',
      title: t('data-deletion.ask'),
      body: (
        <>
          <p>{t('data-deletion.ask.here')}</p>
          <p>{t('data-deletion.ask.mail')}</p>
          <ol>
            <li>
              <Linked text={t('data-deletion.ask.write')} />
            </li>
            <li>{t('data-deletion.ask.subject')}</li>
            <li>{t('data-deletion.ask.confirm')}</li>
            <li>{t('data-deletion.ask.deleted')}</li>
          </ol>
        </>
      ),
    },
    {
      id: 'what',
      title: t('data-deletion.what'),
      body: (
        <>
          <p>{t('data-deletion.what.text')}</p>
          <p>{t('data-deletion.what.kept')}</p>
        </>
      ),
    },
    {
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
    },
    {
      id: 'more',
      title: t('data-deletion.more'),
      body: (
        <p>
          <Linked text={t('data-deletion.more.text')} />
        </p>
      ),
    },
  ]
}

export function DataDeletionPage() {
  const t = useTexts()
  return <Article title={t('data-deletion.title')} lead={t('data-deletion.lead')} sections={sectionsIn(t)} />
}
