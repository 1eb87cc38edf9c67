import { type InterestFormFault, interestFormFault } from '#protocol/preferences.ts'

export type InterestFault = InterestFormFault | 'known'

/** What is wrong with a normalised interest that is not empty; null if it can be added to `others`. */
export function interestFault(interest: string, others: readonly string[]): InterestFault | null {
  return interestFormFault(interest) ?? (others.includes(interest) ? 'known' : null)
}
