import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { parse, tryParse } from '#protocol/parse.ts'
import { problemSchema } from '#protocol/problem.ts'
import { type OperatorCommand, operatorFile, operatorFileSchema } from './operator-commands.ts'

const responseSchema = v.union([v.object({ text: v.string() }), problemSchema])

/**
 * Sends a command to the server that runs on this data folder. Resolves with the server's text for the operator; null
 * if no server runs.
 */
export async function sendOperatorCommand(command: OperatorCommand, dataDir: string): Promise<string | null> {
  const text = await readFile(operatorFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const { port, key } = parse(operatorFileSchema, text)
  const headers = { authorization: key, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(command) }
  // The file of a server that was killed names a port that may be closed.
  const response = await fetch(`http://127.0.0.1:${port}/`, request).catch(() => null)
  const result = tryParse(responseSchema, await response?.json().catch(() => null))
  // Another program may listen on this port: its response differs, or it refuses the key.
  if (!result.success || response?.status === 403) return null
  if ('text' in result.output) return result.output.text
  throw new Error(result.output.detail ?? result.output.title)
}
