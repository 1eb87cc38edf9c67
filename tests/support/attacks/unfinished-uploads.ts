import { API_BASE } from '#protocol/constants.ts'
import { endpoints } from '#protocol/rest.ts'
import { headOf, openRaw, portOf, type RawConnection } from '../servers/raw-requests.ts'

/** A request whose body is never finished. */
export type UnfinishedUpload = {
  endpoint: 'addProfile' | 'addVideoFrame' | 'addLogs' | 'createSession'
  /** Bytes of the body that are sent, and the Content-Length; by default one byte more than is sent. */
  bytes: number
  announced?: number
  /** The Cookie header of a signed-in user. */
  cookie?: string
  /** The address that a trusted proxy names. */
  address?: string
}

const BOUNDARY = 'unfinished'

function bodyOf({ endpoint, bytes }: UnfinishedUpload): { type: string; start: Buffer } {
  const definition = endpoints[endpoint]
  const isForm = 'form' in definition
  const start = isForm
    ? `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${definition.form.file.name}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
    : '['
  const body = Buffer.alloc(Math.max(bytes, start.length), ' ')
  body.write(start, 'latin1')
  return { type: isForm ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/json', start: body }
}

/** Sends the start of each upload and keeps them all open until `meanwhile` settles. */
export async function holdUnfinishedUploads<T>(
  origin: string,
  uploads: readonly UnfinishedUpload[],
  meanwhile: (held: readonly RawConnection[]) => Promise<T>,
): Promise<T> {
  const held = uploads.map((upload) => {
    const { type, start } = bodyOf(upload)
    const { endpoint, cookie, address, announced = start.length + 1 } = upload
    const head = headOf('POST', `${API_BASE}/${endpoints[endpoint].path}`, origin, {
      'content-type': type,
      'content-length': announced,
      ...(cookie !== undefined && { cookie }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
    })
    return openRaw(portOf(origin), head, upload.bytes === 0 ? '' : start)
  })
  try {
    return await meanwhile(held)
  } finally {
    for (const { socket } of held) socket.destroy()
  }
}
