import { AppError } from '#protocol/errors.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Audit, Moderators, ModeratorTools } from './ports.ts'

/** Shown once to the operator. The database holds the password as a hash and the secret encrypted. */
export type NewCredentials = { name: string; password: string; secret: string; uri: string }

export type ModeratorEntry = { name: string; createdAt: number; disabled: boolean }

type Deps = { moderators: Moderators; audit: Audit; tools: ModeratorTools; clock: Clock; newId: () => string }

/** The operator's commands about moderators' accounts. They reject with `not-found`, or with `wrong-state` for a name that is taken. */
export function createModeratorAccounts({ moderators, audit, tools, clock, newId }: Deps) {
  async function credentials(name: string) {
    const password = tools.makePassword()
    const { sealed, secret, uri } = tools.makeTotp(name)
    const stored = { password: await tools.hashPassword(password), totpSecret: sealed, totpStep: 0 }
    return { stored, shown: { name, password, secret, uri } }
  }

  async function record(action: string, name: string): Promise<void> {
    await audit.add({ at: clock.now(), moderator: null, session: null, action, whom: null, what: name })
  }

  function requireFound(found: boolean, name: string): void {
    if (!found) throw new AppError('not-found', `There is no moderator ${name}`)
  }

  return {
    async add(name: string): Promise<NewCredentials> {
      const { stored, shown } = await credentials(name)
      if (!(await moderators.add({ ...stored, id: newId(), name, createdAt: clock.now(), disabledAt: null })))
        throw new AppError('wrong-state', `There is a moderator ${name} already`)
      await record('moderator-added', name)
      return shown
    },

    async reset(name: string): Promise<NewCredentials> {
      const { stored, shown } = await credentials(name)
      requireFound(await moderators.reset(name, stored), name)
      await record('moderator-reset', name)
      return shown
    },

    async disable(name: string): Promise<void> {
      requireFound(await moderators.disable(name, clock.now()), name)
      await record('moderator-disabled', name)
    },

    async list(): Promise<ModeratorEntry[]> {
      const all = await moderators.all()
      return all.map(({ name, createdAt, disabledAt }) => ({ name, createdAt, disabled: disabledAt !== null }))
    },
  }
}
export type ModeratorAccounts = ReturnType<typeof createModeratorAccounts>
