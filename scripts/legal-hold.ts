import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { tryParse } from '#protocol/parse.ts'
import { type HoldCommand, holdCommands, runHoldCommand } from '../server/privacy/hold-commands.ts'
import { createPrivacyRecords } from '../server/privacy/records/privacy-records.ts'
import { printOutcome, runCommand } from './operator-command.ts'

/**
 * Sets, lists and releases legal holds: through the server that runs on the data folder, otherwise directly in the records; see
 * docs/retention.md.
 */

const USAGE = `node scripts/legal-hold.ts set E-MAIL REASON --by NAME
node scripts/legal-hold.ts release E-MAIL
node scripts/legal-hold.ts list`

const verbs: Record<string, HoldCommand['do']> = { set: 'hold', release: 'release', list: 'holds' }
const counts: Record<HoldCommand['do'], number> = { hold: 3, release: 2, holds: 1 }

function readCommand(): HoldCommand {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { by: { type: 'string' } } })
  const [verb = '', email, reason] = positionals
  const what = verbs[verb]
  const command = tryParse(v.variant('do', holdCommands), { do: what, email, reason, by: values.by })
  if (!command.success || positionals.length !== counts[command.output.do]) throw new Error(USAGE)
  return command.output
}

await printOutcome(() =>
  runCommand(readCommand(), (command, database) => {
    const { legalHolds } = database.records(createPrivacyRecords)
    return runHoldCommand(command, legalHolds, Date.now())
  }),
)
