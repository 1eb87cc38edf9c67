/** Invisible joiners at the end, which the next letter may need. */
export const JOINERS_AT_END = /[\u200c\u200d]+$/

/** Returns a typed nickname as it is sent. */
export const trimNickname = (typed: string): string => typed.replace(JOINERS_AT_END, '').trim()
