/** Most combining marks of a letter; no script needs more. A hundred marks would cover the lines above. */
const MARKS_MAX = 8
const surplusMarks = new RegExp(String.raw`(\p{M}{${MARKS_MAX}})\p{M}+`, 'gu')

/** Removes the marks of a letter beyond MARKS_MAX. */
export const withoutSurplusMarks = (text: string): string => text.replace(surplusMarks, '$1')

/** False for a text that shows nothing: spaces, fillers, lone marks, the empty Braille cell. */
export const canBeSeen = (text: string): boolean => /[^\p{DI}\p{M}\p{Z}\p{Cc}\p{Cf}\p{Cs}\u2800]/u.test(text)
