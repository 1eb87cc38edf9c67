import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Config, ConfigError } from './config.ts'

/** Reads certificates in PEM. Checks the first certificate, so that a wrong file is reported before a connection fails. */
function readCertificates(variable: string, path: string): string {
  try {
    const pem = readFileSync(path, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch {
    throw new ConfigError(`${variable} must name a file with certificates in PEM, not ${JSON.stringify(path)}`)
  }
}

/** Returns the certificate authorities of Redis in PEM; null if Node's list applies. */
export function redisCa({ redisCa: path }: Pick<Config, 'redisCa'>): string | null {
  return path === null ? null : readCertificates('REDIS_CA', path)
}

/** Throws ConfigError for a wrong file. The driver would report it only later, with a longer error. */
export function checkDatabaseCa(url: string): void {
  const path = new URL(url).searchParams.get('sslrootcert')
  if (path) readCertificates('sslrootcert of DATABASE_URL', path)
}
