/** Differs between two people, and between two login sessions of one. */
export function personOf(userSessionId: string, email: string): string {
  return `${userSessionId} ${email}`
}
