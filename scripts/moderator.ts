import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { problemSchema, toAppError } from '#protocol/errors.ts'
import { type Config, readConfig } from '../server/config.ts'
import { createModeratorOffice } from '../server/domain/moderator-office.ts'
import { createModeratorTools } from '../server/moderator-tools.ts'
import { openRecords } from '../server/open-records.ts'
import { carryOut, lineFile, lineFileSchema, type Order, orderSchema } from '../server/operator-line.ts'
import { loadSecrets, moderatorKey } from '../server/secrets.ts'

/**
 * Accounts of moderators: add, list, disable, reset, and the audit. A server that runs on the data folder is told over its local line;
 * where none does, and where the records are in a shared database, they are opened here.
 */

const USAGE = 'Usage: npm run moderator -- add NAME | reset NAME | disable NAME | list | audit'

function refusal(thrown: unknown): string {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EACCES') return `Not allowed: ${thrown.message}`
  return toAppError(thrown).message
}

const answerSchema = v.union([v.object({ text: v.string() }), problemSchema])

/** Null where no server waits. */
async function tell(order: Order, dataDir: string): Promise<string | null> {
  const text = await readFile(lineFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const { port, key } = v.parse(lineFileSchema, text)
  const headers = { authorization: key, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(order) }
  // A server that was killed leaves its file behind, and nobody at its port.
  const response = await fetch(`http://127.0.0.1:${port}/`, request).catch(() => null)
  const answer = v.safeParse(answerSchema, await response?.json().catch(() => null))
  // Or somebody else, to whom the key means nothing.
  if (!answer.success || response?.status === 403) return null
  if ('text' in answer.output) return answer.output.text
  throw new Error(answer.output.detail ?? answer.output.title)
}

async function actAlone(order: Order, config: Config): Promise<string> {
  const store = await openRecords(config)
  try {
    const tools = createModeratorTools(moderatorKey(await loadSecrets(config, store.sharedSecrets)))
    const clock = { now: Date.now, after: () => () => {} }
    const { moderators, audit } = store
    return await carryOut(order, createModeratorOffice({ moderators, audit, tools, clock, newId: randomUUID }), audit)
  } finally {
    await store.close()
  }
}

const [action, name, ...rest] = process.argv.slice(2)

function orderOf(): Order {
  const order = v.safeParse(orderSchema, { do: action, name })
  if (order.success && rest.length === 0) return order.output
  const wrongName = name !== undefined && order.issues?.find(({ path }) => path?.[0].key === 'name')
  throw new Error(wrongName ? wrongName.message : USAGE)
}

try {
  const order = orderOf()
  const config = readConfig(process.env)
  const told = config.database ? null : await tell(order, config.dataDir)
  console.log(told ?? (await actAlone(order, config)))
} catch (thrown) {
  console.error(refusal(thrown))
  process.exitCode = 1
}
