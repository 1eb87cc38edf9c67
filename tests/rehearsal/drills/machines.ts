import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificate, folderOf, SITE } from '../machine.ts'
import type { Part } from '../part.ts'
import type { Drill } from './drill.ts'

const DISK_BYTES = 32 * 1024 * 1024
/** Of what is free at first. */
const FILLED = 0.92
/** The alert comes two weeks before the end. */
const DAYS_LEFT = 10

/** A disk of its own, which fills. */
export function fullDisk(): Drill {
  const folder = folderOf('disk')
  const image = join(folder, 'image')
  const mounted = join(folder, 'mounted')
  return {
    name: 'a disk fills',
    alerts: ['DiskFills'],
    cause: async () => {
      writeFileSync(image, Buffer.alloc(DISK_BYTES))
      execFileSync('mkfs.ext4', ['-q', '-m', '0', image])
      execFileSync('mkdir', ['-p', mounted])
      execFileSync('mount', ['-o', 'loop', image, mounted])
      const { bavail, bsize } = statfsSync(mounted)
      writeFileSync(join(mounted, 'logs'), Buffer.alloc(Math.floor(bavail * bsize * FILLED)))
    },
    restore: async () => {
      rmSync(join(mounted, 'logs'), { force: true })
    },
  }
}

/** A certificate of the same key and authority, which was not renewed. */
export function oldCertificate(balancer: Part): Drill {
  const file = certificate(`${SITE}.pem`)
  const kept = `${file}.kept`
  return {
    name: 'the certificate of the site ends soon',
    alerts: ['CertificateExpires'],
    cause: async () => {
      copyFileSync(file, kept)
      const request = join(folderOf('balancer'), 'request.pem')
      const names = `subjectAltName=DNS:${SITE}`
      const subject = ['-new', '-key', certificate(`${SITE}.key`), '-subj', `/CN=${SITE}`, '-addext', names]
      execFileSync('openssl', ['req', ...subject, '-out', request], { stdio: 'pipe' })
      const authority = ['-CA', certificate('ca.pem'), '-CAkey', certificate('ca.key'), '-CAcreateserial']
      const days = ['-days', String(DAYS_LEFT), '-copy_extensions', 'copy']
      execFileSync('openssl', ['x509', '-req', '-in', request, ...authority, ...days, '-out', file], { stdio: 'pipe' })
      await balancer.restart()
    },
    restore: async () => {
      copyFileSync(kept, file)
      await balancer.restart()
    },
  }
}
