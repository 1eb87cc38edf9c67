import type { Language } from '#protocol/languages.ts'
import { textsOf } from '../../../src/app/pages.ts'
import type { TextGroup } from '../../../src/platform/texts/catalogue.ts'
import { loadTexts } from '../../../src/platform/texts/catalogue.ts'
import { createTextStore, type TextStore } from '../../../src/platform/texts/texts.ts'

const textGroups: readonly TextGroup[] = [...new Set<TextGroup>(['first', ...Object.values(textsOf).flat()])]

const english = new Map(
  await Promise.all(textGroups.map(async (group) => [group, await loadTexts('en', group)] as const)),
)

/** A text store with every English text loaded at once; other languages load when they are chosen. */
export function englishTexts(remember: (language: Language) => void = () => {}): TextStore {
  const texts = createTextStore({
    language: 'en',
    load: async (language, group) => (language === 'en' && english.get(group)) || loadTexts(language, group),
    remember,
    log: { error: () => {} },
  })
  void texts.need(...textGroups)
  return texts
}
