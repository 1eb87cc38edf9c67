import * as v from 'valibot'
import { LANGUAGES_MAX } from './constants.ts'

/**
 * The languages that a user can choose: codes of ISO 639-1, and of ISO 639-2 or 639-3 for large languages without a
 * code of two letters. Each spoken language has one code, so that two people who share a language have the same code
 * for it. Sorted, and without names: the browser has the names of languages in every script.
 */
export const spokenLanguages: readonly string[] = `
  aa ab af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ceb ch ckb co cr cs cv cy da de dv dz ee
  el en eo es et eu fa ff fi fil fj fo fr fy ga gd gl gn gu gv ha haw he hi hil hmn ho hr ht hu hy hz id ig
  ii ilo is it iu ja jv ka kab kg ki kj kk kl km kn ko kok kr ks ku kv kw ky la lb lg li ln lo lt lu lv mai
  mg mh mi mk ml mn mni mr ms mt my na nd ne ng nl no nr nv ny oc oj om or os pa pap pl ps pt qu rm rn
  ro ru rw sa sc scn sd se sg shn si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tn to tpi tr ts
  tt ty ug uk ur uz ve vi vo wa war wo xh yi yo yue za zh zu
`
  .trim()
  .split(/\s+/)

const known = new Set(spokenLanguages)

/** Codes that are replaced by those of the table: old codes, and codes of written forms and of registers of one spoken language. */
const otherCodes = new Map([
  ['in', 'id'],
  ['iw', 'he'],
  ['ji', 'yi'],
  ['mo', 'ro'],
  ['nb', 'no'],
  ['nn', 'no'],
  ['prs', 'fa'],
  ['sh', 'sr'],
  ['tl', 'fil'],
])

/** Returns the code of the table for a tag such as `en-US`; null if the table has none. */
export function spokenLanguageOf(tag: string): string | null {
  const [primary = ''] = tag.toLowerCase().split('-', 1)
  const code = otherCodes.get(primary) ?? primary
  return known.has(code) ? code : null
}

/** The first languages of a browser's list of tags, at most `LANGUAGES_MAX`. */
export function spokenLanguagesIn(tags: readonly string[]): string[] {
  const codes = tags.map(spokenLanguageOf).filter((code) => code !== null)
  return [...new Set(codes)].slice(0, LANGUAGES_MAX)
}

export const spokenLanguageSchema = v.pipe(
  v.string('A language is a code such as en'),
  v.check((code) => known.has(code), 'A language is a lower-case code of ISO 639 such as en'),
)
