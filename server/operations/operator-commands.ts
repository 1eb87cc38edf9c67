import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import fastify from 'fastify'
import * as v from 'valibot'
import { moderatorNameSchema } from '#protocol/console.ts'
import { AppError } from '#protocol/errors.ts'
import { tryParse } from '#protocol/parse.ts'
import type { ModeratorAccounts } from '../console/rules/moderator-accounts.ts'
import type { Audit } from '../console/rules/ports.ts'
import { sendErrorsAsProblems } from '../platform/http/problems.ts'
import { holdCommands, runHoldCommand } from '../privacy/hold-commands.ts'
import type { LegalHolds } from '../privacy/rules/ports.ts'
import type { TransparencyRecords } from '../transparency/rules/ports.ts'
import { runTransparencyCommand, transparencyCommand } from '../transparency/transparency-commands.ts'

/** Port and key of the running server for operator commands; only processes that can read the data folder have the key. */
const addressSchema = v.object({ port: v.pipe(v.number(), v.integer()), key: v.pipe(v.string(), v.minLength(32)) })
export const operatorFileSchema = v.pipe(v.string(), v.parseJson(), addressSchema)

export function operatorFile(dataDir: string): string {
  return join(dataDir, 'operator.json')
}

const named = { name: moderatorNameSchema }
export const operatorCommandSchema = v.variant('do', [
  v.object({ do: v.literal('add'), ...named }),
  v.object({ do: v.literal('reset'), ...named }),
  v.object({ do: v.literal('disable'), ...named }),
  v.object({ do: v.literal('list') }),
  v.object({ do: v.literal('audit') }),
  ...holdCommands,
  transparencyCommand,
  v.object({ do: v.literal('backup'), folder: v.pipe(v.string(), v.check(isAbsolute, 'must be an absolute path')) }),
])
export type OperatorCommand = v.InferOutput<typeof operatorCommandSchema>

const AUDIT_LINES = 200

/** What the commands use: moderators' accounts, the audit log, legal holds, transparency reports, and the backup. */
export type OperatorCommandDeps = {
  moderatorAccounts: ModeratorAccounts
  audit: Audit
  legalHolds: LegalHolds
  transparency: TransparencyRecords
  backUp: (folder: string) => Promise<void>
}

/** Runs a command and resolves with the text for the operator. Rejects with an AppError whose message is for the operator. */
export async function runOperatorCommand(
  command: OperatorCommand,
  { moderatorAccounts, audit, legalHolds, transparency, backUp }: OperatorCommandDeps,
): Promise<string> {
  switch (command.do) {
    case 'add':
    case 'reset': {
      const { name, password, secret, uri } = await moderatorAccounts[command.do](command.name)
      return [
        `Moderator ${name}. This is shown once; write it down or hand it over now.`,
        `  password       ${password}`,
        `  authenticator  ${uri}`,
        `  or by hand     ${secret} (30 seconds, 6 digits)`,
      ].join('\n')
    }
    case 'disable':
      await moderatorAccounts.disable(command.name)
      return `Moderator ${command.name} is disabled, and every login of theirs has ended.`
    case 'list': {
      const all = await moderatorAccounts.list()
      const lines = all.map(
        ({ name, createdAt, disabled }) =>
          `${name}  since ${new Date(createdAt).toISOString().slice(0, 10)}${disabled ? '  disabled' : ''}`,
      )
      return lines.join('\n') || 'There are no moderators yet.'
    }
    case 'audit': {
      const lines = (await audit.latest(AUDIT_LINES)).reverse()
      const text = (part: string | null) => part || '-'
      return lines
        .map(({ at, moderator, session, action, whom, what }) =>
          [new Date(at).toISOString(), text(moderator), text(session), action, text(whom), text(what)].join('  '),
        )
        .join('\n')
    }
    case 'hold':
    case 'release':
    case 'holds':
      return runHoldCommand(command, legalHolds, Date.now())
    case 'transparency':
      return runTransparencyCommand(command, transparency, Date.now())
    case 'backup':
      await backUp(command.folder)
      return `Records and secrets are in ${command.folder}.`
    default:
      return command satisfies never
  }
}

/**
 * Listens for operator commands while the server runs, on the loopback interface only, from processes that can read the data folder.
 * Resolves with a function that stops listening.
 */
export async function listenForOperatorCommands(
  dataDir: string,
  deps: OperatorCommandDeps,
): Promise<() => Promise<void>> {
  const key = randomBytes(32)
  const app = fastify()
  sendErrorsAsProblems(app)
  app.post('/', async (request) => {
    const given = Buffer.from(request.headers.authorization ?? '', 'base64url')
    if (given.length !== key.length || !timingSafeEqual(given, key)) throw new AppError('forbidden')
    const command = tryParse(operatorCommandSchema, request.body)
    if (!command.success) throw new AppError('bad-request', command.issues[0].message)
    return { text: await runOperatorCommand(command.output, deps) }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const file = operatorFile(dataDir)
  // A file of a server that was killed may have another owner.
  await rm(file, { force: true })
  await writeFile(file, JSON.stringify({ port, key: key.toString('base64url') }), { mode: 0o600, flag: 'wx' })
  return async () => {
    await rm(file, { force: true })
    await app.close()
  }
}
