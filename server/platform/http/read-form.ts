import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import { fieldError } from './problems.ts'

export type Form = { fields: Record<string, string>; file: Uint8Array | null }

const FIELD_BYTES = 4096
const FIELDS = 20
/** The largest size of a form without its file: fields, their names and the head of each part. */
export const FIELDS_LIMIT = (FIELDS + 1) * (FIELD_BYTES + 1024)

/** An error with a status is a refusal already. The parser's error for an incomplete body has none. */
function asRefusal(error: unknown): unknown {
  const isRefusal = error instanceof AppError || (error instanceof Error && 'statusCode' in error)
  return isRefusal ? error : new AppError('bad-request', 'The form cannot be read')
}

/** Reads a whole multipart body whose only file part is called `fileName` and holds at most `limit` bytes. */
export async function readForm(request: FastifyRequest, fileName: string, limit: number): Promise<Form> {
  try {
    return await readParts(request, fileName, limit)
  } catch (error) {
    throw asRefusal(error)
  }
}

async function readParts(request: FastifyRequest, fileName: string, limit: number): Promise<Form> {
  const form: Form = { fields: {}, file: null }
  const limits = { fileSize: limit, files: 1, fields: FIELDS, fieldSize: FIELD_BYTES, parts: FIELDS + 1 }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') {
      const bytes = await part.toBuffer()
      if (part.fieldname !== fileName) throw fieldError('bad-request', part.fieldname, `The file is called ${fileName}`)
      form.file = bytes
    } else if (part.valueTruncated) {
      throw new AppError('too-large', `A field has at most ${FIELD_BYTES} bytes`, { field: part.fieldname })
    } else if (typeof part.value === 'string') form.fields[part.fieldname] = part.value
  }
  return form
}
