import { AppError } from '#protocol/errors.ts'
import { boundaryOf, parseMultipart } from './parse-multipart.ts'
import { fieldError } from './problems.ts'

type Form = { fields: Record<string, string>; file: Uint8Array | null }

const FIELD_BYTES = 4096
const FIELDS = 20
/** Largest size of a form without the file in it: fields, their names and the head of each part. */
export const FIELDS_LIMIT = (FIELDS + 1) * (FIELD_BYTES + 1024)

const unreadable = () => new AppError('bad-request', 'The form cannot be read')

/** Reads a whole multipart body whose only file part is called `fileName` and holds at most `limit` bytes. */
export function readForm(
  body: Buffer,
  contentType: string,
  { fileName, limit }: { fileName: string; limit: number },
): Form {
  const boundary = boundaryOf(contentType)
  const parts = boundary === null ? null : parseMultipart(body, boundary, FIELDS + 1)
  if (!parts) throw unreadable()
  const form: Form = { fields: {}, file: null }
  let fields = 0
  for (const { name, fileName: isFile, content } of parts) {
    if (isFile !== null) {
      if (form.file) throw new AppError('too-large', 'A form has one file')
      if (content.length > limit)
        throw new AppError('too-large', `The file has at most ${limit} bytes`, { field: name })
      if (name !== fileName) throw fieldError('bad-request', name, `The file is called ${fileName}`)
      form.file = content
      continue
    }
    fields += 1
    if (fields > FIELDS) throw new AppError('too-large', `A form has at most ${FIELDS} fields`)
    if (name in Object.prototype) throw unreadable()
    if (content.length > FIELD_BYTES)
      throw new AppError('too-large', `A field has at most ${FIELD_BYTES} bytes`, { field: name })
    form.fields[name] = content.toString('utf8')
  }
  return form
}
