import { AppError } from '#protocol/errors.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Audit, Moderators, ModeratorTools } from './ports.ts'

/** What is shown once and kept nowhere in the clear. */
export type NewCredentials = { name: string; password: string; secret: string; uri: string }

export type ModeratorEntry = { name: string; createdAt: number; disabled: boolean }

type Deps = { moderators: Moderators; audit: Audit; tools: ModeratorTools; clock: Clock; newId: () => string }

/** What an operator does with moderators' accounts. Rejects with `not-found` or, where a name is taken, `wrong-state`. */
export function createModeratorOffice({ moderators, audit, tools, clock, newId }: Deps) {
  async function credentials(name: string) {
    const password = tools.makePassword()
    const { sealed, secret, uri } = tools.makeTotp(name)
    const kept = { password: await tools.hashPassword(password), totpSecret: sealed, totpStep: 0 }
    return { kept, shown: { name, password, secret, uri } }
  }

  async function record(action: string, name: string): Promise<void> {
    await audit.add({ at: clock.now(), moderator: null, session: null, action, whom: null, what: name })
  }

  function needed(found: boolean, name: string): void {
    if (!found) throw new AppError('not-found', `There is no moderator ${name}`)
  }

  return {
    async add(name: string): Promise<NewCredentials> {
      const { kept, shown } = await credentials(name)
      if (!(await moderators.add({ ...kept, id: newId(), name, createdAt: clock.now(), disabledAt: null })))
        throw new AppError('wrong-state', `There is a moderator ${name} already`)
      await record('moderator-added', name)
      return shown
    },

    /** New password and new secret; enables the account and ends its logins. */
    async reset(name: string): Promise<NewCredentials> {
      const { kept, shown } = await credentials(name)
      needed(await moderators.reset(name, kept), name)
      await record('moderator-reset', name)
      return shown
    },

    /** Ends the account's logins at once. */
    async disable(name: string): Promise<void> {
      needed(await moderators.disable(name, clock.now()), name)
      await record('moderator-disabled', name)
    },

    async list(): Promise<ModeratorEntry[]> {
      const all = await moderators.all()
      return all.map(({ name, createdAt, disabledAt }) => ({ name, createdAt, disabled: disabledAt !== null }))
    },
  }
}
export type ModeratorOffice = ReturnType<typeof createModeratorOffice>
