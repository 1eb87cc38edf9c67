import { type Language, PSEUDO_LANGUAGE } from '#protocol/languages.ts'
import type { Messages } from './messages.ts'

declare global {
  /** The English sentences of each file of texts, by the file's name. Each of these files adds its own. */
  interface TextGroups {}
}

/** Name of a file of texts. It is the same in every language. */
export type TextGroup = keyof TextGroups

type Intersected<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Every key with its English sentence. */
export type Catalogue = Intersected<TextGroups[TextGroup]>
export type TextKey = keyof Catalogue

/** Each file is a separate chunk that is loaded with its screen. */
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
