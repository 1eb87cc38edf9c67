import { type SignedInVisitor, signIn } from '../servers/server.ts'

/**
 * Deletes the account of a visitor and signs in again with the same identity as soon as `isGone` resolves with true, when the
 * deletion has been carried out. Resolves with the new login.
 */
export async function deleteAndComeBack(
  origin: string,
  visitor: SignedInVisitor,
  isGone: () => Promise<boolean>,
): Promise<SignedInVisitor> {
  await visitor.request('deleteData', undefined)
  while (!(await isGone())) await new Promise((resolve) => setTimeout(resolve, 20))
  return signIn({ origin }, { email: visitor.email })
}
