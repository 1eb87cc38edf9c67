/** Sources of patterns with the flag `u`, for words that everybody can see: in names and interests, which strangers read. */

/** Most marks on one letter. No script needs more; a hundred marks would be drawn over the lines around. */
const MARKS_MAX = 4

/** Scripts that write words with joiners, which are invisible themselves. */
const scripts = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Orya', 'Sinh', 'Taml', 'Telu']

/** A letter with its marks, and a joiner where its script has one before the next letter. Invisible letters and marks do not match. */
const LETTER = [
  String.raw`(?!\p{DI})\p{L}(?:(?!\p{DI})\p{M}){0,${MARKS_MAX}}`,
  String.raw`(?:(?<=[${scripts.map((script) => String.raw`\p{scx=${script}}`).join('')}])[\u200c\u200d](?=\p{L}))?`,
].join('')

export const WORD = `(?:${LETTER})+`
export const WORD_WITH_DIGITS = String.raw`(?:${LETTER}|\p{Nd})+`

/** Invisible joiners at the end of a typed text, which the next letter may need. */
export const JOINERS_AT_END = /[\u200c\u200d]+$/

/** Returns a typed nickname as it is sent. It is here because this file does not import the schema library. */
export const trimNickname = (typed: string): string => typed.replace(JOINERS_AT_END, '').trim()
