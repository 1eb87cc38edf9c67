import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { toAppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'
import { type Config, readConfig } from '../server/config/config.ts'
import { sendOperatorCommand } from '../server/operations/send-operator-command.ts'
import { openConfiguredDatabase } from '../server/platform/database/records-database.ts'
import { type HoldCommand, holdCommands, runHoldCommand } from '../server/privacy/hold-commands.ts'
import { createPrivacyRecords } from '../server/privacy/records/privacy-records.ts'

/** Sets, lists and releases legal holds: through the server that runs on the data folder, otherwise directly in the records; see docs/retention.md. */

const USAGE = `node scripts/legal-hold.ts set E-MAIL REASON --by NAME
node scripts/legal-hold.ts release E-MAIL
node scripts/legal-hold.ts list`

const verbs: Record<string, HoldCommand['do']> = { set: 'hold', release: 'release', list: 'holds' }
const counts: Record<HoldCommand['do'], number> = { hold: 3, release: 2, holds: 1 }

function orderOf(): HoldCommand {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { by: { type: 'string' } } })
  const [verb = '', email, reason] = positionals
  const what = verbs[verb]
  const order = tryParse(v.variant('do', holdCommands), { do: what, email, reason, by: values.by })
  if (!order.success || positionals.length !== counts[order.output.do]) throw new Error(USAGE)
  return order.output
}

async function actAlone(order: HoldCommand, config: Config): Promise<string> {
  const database = await openConfiguredDatabase(config)
  try {
    const { legalHolds } = database.records(createPrivacyRecords)
    return await runHoldCommand(order, legalHolds, Date.now())
  } finally {
    await database.close()
  }
}

// Files of this process are readable by its own user only.
process.umask(0o077)

try {
  const order = orderOf()
  const config = readConfig(process.env)
  const output = config.database ? null : await sendOperatorCommand(order, config.dataDir)
  console.log(output ?? (await actAlone(order, config)))
} catch (thrown) {
  console.error(toAppError(thrown).message)
  process.exitCode = 1
}
