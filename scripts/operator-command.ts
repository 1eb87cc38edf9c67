import { toAppError } from '#protocol/errors.ts'
import { type Config, readConfig } from '../server/config/config.ts'
import type { OperatorCommand } from '../server/operations/operator-commands.ts'
import { sendOperatorCommand } from '../server/operations/send-operator-command.ts'
import { openConfiguredDatabase, type RecordsDatabase } from '../server/platform/database/records-database.ts'

const messageOf = (thrown: unknown) => toAppError(thrown).message

/**
 * Prints the text that `run` resolves with. After an error, prints it in one line and sets the exit status 1. Files written meanwhile are
 * readable by this user only.
 */
export async function printOutcome(run: () => Promise<string>, errorText = messageOf): Promise<void> {
  process.umask(0o077)
  try {
    console.log((await run()).trimEnd())
  } catch (thrown) {
    console.error(errorText(thrown))
    process.exitCode = 1
  }
}

export async function withRecords<T>(config: Config, act: (database: RecordsDatabase) => Promise<T>): Promise<T> {
  const database = await openConfiguredDatabase(config)
  try {
    return await act(database)
  } finally {
    await database.close()
  }
}

/**
 * Sends the command to the server that runs on the data folder. If none runs, or if the database is shared, `act` runs
 * the command on the records.
 */
export async function runCommand<C extends OperatorCommand>(
  command: C,
  act: (command: C, database: RecordsDatabase, config: Config) => Promise<string>,
): Promise<string> {
  const config = readConfig(process.env)
  const output = config.database ? null : await sendOperatorCommand(command, config.dataDir)
  return output ?? (await withRecords(config, (database) => act(command, database, config)))
}
