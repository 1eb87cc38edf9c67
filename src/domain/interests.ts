import { INTEREST_MAX, NICKNAME_PATTERN } from '#protocol/constants.ts'

export type InterestFault = 'letters' | 'too-long' | 'known'

/** What is wrong with a normalised interest that is not empty; null if it can be added to `others`. */
export function interestFault(interest: string, others: readonly string[]): InterestFault | null {
  if (interest.length > INTEREST_MAX) return 'too-long'
  if (!NICKNAME_PATTERN.test(interest)) return 'letters'
  return others.includes(interest) ? 'known' : null
}
