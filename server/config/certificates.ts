import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Config, ConfigError } from './config.ts'

/** Certificates in PEM; the first has to be one, which tells a wrong file before a connection fails. */
function readCertificates(variable: string, path: string): string {
  try {
    const pem = readFileSync(path, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch {
    throw new ConfigError(`${variable} must name a file with certificates in PEM, not ${JSON.stringify(path)}`)
  }
}

/** The authorities that sign certificates of Redis, or null where Node's own list does. */
export function redisCa({ redisCa: path }: Pick<Config, 'redisCa'>): string | null {
  return path === null ? null : readCertificates('REDIS_CA', path)
}

/** The driver reads the file by itself: this finds a wrong one before, and says so in one line. */
export function checkDatabaseCa(url: string): void {
  const path = new URL(url).searchParams.get('sslrootcert')
  if (path) readCertificates('sslrootcert of DATABASE_URL', path)
}
