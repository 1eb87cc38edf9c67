import type { AccountStore } from './account.ts'
import type { VisitStore } from './visit.ts'

/** Differs between two people, and between two login sessions of one. */
export function personOf(visit: Pick<VisitStore, 'userSessionId'>, account: Pick<AccountStore, 'email'>): string {
  return `${visit.userSessionId.peek()} ${account.email.peek()}`
}
