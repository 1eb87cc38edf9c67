import { type InterestFormFault, interestFormFault } from '#protocol/preferences.ts'

export type InterestFault = InterestFormFault | 'known'

/** Returns the fault of a normalised, non-empty interest; null if it can be added to `others`. */
export function interestFault(interest: string, others: readonly string[]): InterestFault | null {
  return interestFormFault(interest) ?? (others.includes(interest) ? 'known' : null)
}
