import { parseArgs } from 'node:util'
import { tryParse } from '#protocol/parse.ts'
import { createTransparencyRecords } from '../server/transparency/records/transparency-records.ts'
import {
  runTransparencyCommand,
  type TransparencyCommand,
  transparencyCommand,
} from '../server/transparency/transparency-commands.ts'
import { printOutcome, runCommand } from './operator-command.ts'

/**
 * Computes the transparency report of one or more months and prints it as CSV. Publishes or withdraws the report on
 * request: through the server that runs on the data folder, otherwise directly in the records; see docs/moderation.md.
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

await printOutcome(() =>
  runCommand(readCommand(), (command, database) => {
    const { transparency } = database.records(createTransparencyRecords)
    return runTransparencyCommand(command, transparency, Date.now())
  }),
)
