import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { problemSchema } from '#protocol/errors.ts'
import { parse, tryParse } from '#protocol/parse.ts'
import { type OperatorCommand, operatorFile, operatorFileSchema } from './operator-commands.ts'

const answerSchema = v.union([v.object({ text: v.string() }), problemSchema])

/** Hands an command to the server that runs on this data folder. Null where none waits. */
export async function sendOperatorCommand(command: OperatorCommand, dataDir: string): Promise<string | null> {
  const text = await readFile(operatorFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const { port, key } = parse(operatorFileSchema, text)
  const headers = { authorization: key, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(command) }
  // A server that was killed leaves its file behind, and nobody at its port.
  const response = await fetch(`http://127.0.0.1:${port}/`, request).catch(() => null)
  const answer = tryParse(answerSchema, await response?.json().catch(() => null))
  // Or somebody else, to whom the key means nothing.
  if (!answer.success || response?.status === 403) return null
  if ('text' in answer.output) return answer.output.text
  throw new Error(answer.output.detail ?? answer.output.title)
}
