import { type Language, PSEUDO_LANGUAGE } from '#protocol/languages.ts'
import type { Messages } from './messages.ts'

declare global {
  /** The English sentences of each file of texts by its name; each of these files adds its own. */
  interface TextGroups {}
}

/** The name of a file of texts, which is the same in every language. */
export type TextGroup = keyof TextGroups

type Intersected<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Every key with its English sentence. */
export type Catalogue = Intersected<TextGroups[TextGroup]>
export type TextKey = keyof Catalogue

/** Each file loads by itself, when its screen does. */
const files = import.meta.glob<{ texts: Messages }>('./*/texts/*/*.ts', { base: '../../' })

export async function loadTexts(language: Language, group: TextGroup): Promise<Messages> {
  if (language === PSEUDO_LANGUAGE) {
    const [english, { mirror }] = await Promise.all([loadTexts('en', group), import('./pseudo.ts')])
    return mirror(english)
  }
  const [, load] = Object.entries(files).find(([path]) => path.endsWith(`/${language}/${group}.ts`)) ?? []
  if (!load) throw new Error(`No texts ${group} in ${language}`)
  return (await load()).texts
}
