import { parseArgs } from 'node:util'
import { toAppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'
import { type Config, readConfig } from '../server/config/config.ts'
import { sendOperatorCommand } from '../server/operations/send-operator-command.ts'
import { openConfiguredDatabase } from '../server/platform/database/records-database.ts'
import { createTransparencyRecords } from '../server/transparency/records/transparency-records.ts'
import {
  runTransparencyCommand,
  type TransparencyCommand,
  transparencyCommand,
} from '../server/transparency/transparency-commands.ts'

/**
 * Computes the transparency report of a month or of several and prints it as CSV; publishes or withdraws it if told to: through the server
 * that runs on the data folder, otherwise directly in the records; see docs/moderation.md.
 */

const USAGE = 'Usage: npm run transparency -- FIRST-MONTH [LAST-MONTH] [--publish | --withdraw], as in 2026-01 2026-06'

function readCommand(): TransparencyCommand {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { publish: { type: 'boolean' }, withdraw: { type: 'boolean' } },
  })
  const [from, to = from, ...rest] = positionals
  const action = values.publish ? 'publish' : values.withdraw ? 'withdraw' : 'print'
  const command = tryParse(transparencyCommand, { do: 'transparency', action, from, to })
  if (!command.success || rest.length > 0 || (values.publish && values.withdraw)) throw new Error(USAGE)
  return command.output
}

async function actAlone(command: TransparencyCommand, config: Config): Promise<string> {
  const database = await openConfiguredDatabase(config)
  try {
    return await runTransparencyCommand(command, database.records(createTransparencyRecords).transparency, Date.now())
  } finally {
    await database.close()
  }
}

// Files of this process are readable by its own user only.
process.umask(0o077)

try {
  const command = readCommand()
  const config = readConfig(process.env)
  const output = config.database ? null : await sendOperatorCommand(command, config.dataDir)
  console.log((output ?? (await actAlone(command, config))).trimEnd())
} catch (thrown) {
  console.error(toAppError(thrown).message)
  process.exitCode = 1
}
