import { randomUUID } from 'node:crypto'
import { toAppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'
import type { Config } from '../server/config/config.ts'
import { loadSecrets, moderatorKey } from '../server/config/secrets.ts'
import { createModeratorTools } from '../server/console/moderator-tools.ts'
import { createConsoleRecords } from '../server/console/records/console-records.ts'
import { createModeratorAccounts } from '../server/console/rules/moderator-accounts.ts'
import { backUp } from '../server/operations/backup.ts'
import {
  type OperatorCommand,
  operatorCommandSchema,
  runOperatorCommand,
} from '../server/operations/operator-commands.ts'
import { createPlatformRecords, type RecordsDatabase } from '../server/platform/database/records-database.ts'
import { createPrivacyRecords } from '../server/privacy/records/privacy-records.ts'
import { createTransparencyRecords } from '../server/transparency/records/transparency-records.ts'
import { printOutcome, runCommand } from './operator-command.ts'

/**
 * Manages moderators' accounts: add, list, disable, reset, and the audit. Sends the command to the server that runs on
 * the data folder. If none runs, or if the database is shared, opens the records directly.
 */

const USAGE = 'Usage: npm run moderator -- add NAME | reset NAME | disable NAME | list | audit'

function refusal(thrown: unknown): string {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EACCES') return `Not allowed: ${thrown.message}`
  return toAppError(thrown).message
}

async function act(command: OperatorCommand, database: RecordsDatabase, config: Config): Promise<string> {
  const { sharedSecrets } = database.records(createPlatformRecords)
  const { moderators, audit } = database.records(createConsoleRecords)
  const { legalHolds } = database.records(createPrivacyRecords)
  const tools = createModeratorTools(moderatorKey(await loadSecrets(config, sharedSecrets)))
  const clock = { now: Date.now, after: () => () => {} }
  const moderatorAccounts = createModeratorAccounts({ moderators, audit, tools, clock, newId: randomUUID })
  return runOperatorCommand(command, {
    moderatorAccounts,
    audit,
    legalHolds,
    ...database.records(createTransparencyRecords),
    backUp: (folder) => backUp(database, config.dataDir, folder),
  })
}

const [action, name, ...rest] = process.argv.slice(2)

function readCommand(): OperatorCommand {
  const command = tryParse(operatorCommandSchema, { do: action, name })
  if (command.success && rest.length === 0) return command.output
  const wrongName = name !== undefined && command.issues?.find(({ path }) => path?.[0].key === 'name')
  throw new Error(wrongName ? wrongName.message : USAGE)
}

await printOutcome(() => runCommand(readCommand(), act), refusal)
