import { parseArgs } from 'node:util'
import { readConfig } from '../server/config.ts'
import type { Store } from '../server/domain/ports.ts'
import { openRecords } from '../server/open-records.ts'

/** Sets, lists and ends legal holds: in the shared database, or in the data folder while no server uses it; see docs/operations.md. */

const usage = `node scripts/legal-hold.ts set E-MAIL REASON --by NAME
node scripts/legal-hold.ts release E-MAIL
node scripts/legal-hold.ts list`

async function accountsOf(store: Store, email: string): Promise<string[]> {
  const accounts = await store.legalHolds.accountsOf(email)
  if (accounts.length === 0) throw new Error('No account has this address')
  return accounts.map(({ id }) => id)
}

async function run(store: Store, words: string[], by: string | undefined): Promise<string[]> {
  const [verb, email, reason] = words
  if (verb === 'list' && words.length === 1)
    return (await store.legalHolds.all()).map(
      (hold) => `${hold.accountId}  ${new Date(hold.at).toISOString()}  ${hold.setBy}  ${hold.reason}`,
    )
  if (verb === 'set' && email && reason && by && words.length === 3) {
    const ids = await accountsOf(store, email)
    for (const accountId of ids) await store.legalHolds.set({ accountId, reason, setBy: by, at: Date.now() })
    return ids.map((id) => `${id} is held`)
  }
  if (verb === 'release' && email && words.length === 2) {
    const ids = await accountsOf(store, email)
    const released = await Promise.all(ids.map((id) => store.legalHolds.release(id)))
    return ids.map((id, index) => (released[index] ? `${id} is no longer held` : `${id} was not held`))
  }
  throw new Error(usage)
}

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { by: { type: 'string' } } })
  const store = await openRecords(readConfig(process.env))
  try {
    for (const line of await run(store, positionals, values.by)) console.log(line)
  } finally {
    await store.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
