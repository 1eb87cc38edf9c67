import { readFileSync } from 'node:fs'
import { BlockList, isIPv6, SocketAddress } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** What operators deploy: every address that is not of the public internet must be out of the relay's reach. */

const lines = readFileSync('deploy/coturn/turnserver.conf', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const valuesOf = (option: string) => lines.filter((line) => line.startsWith(`${option}=`)).map((line) => line.slice(option.length + 1))
const ranges = valuesOf('denied-peer-ip').map((range) => range.split('-'))

/** RFC 6890 with its later entries in IANA's two registries of special addresses, and multicast. */
const special = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '::1/128',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001::/32',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

const denied = new BlockList()
for (const [from = '', to = ''] of ranges) denied.addRange(from, to, familyOf(from))
const isDenied = (address: string) => denied.check(address, familyOf(address))

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

function toNumber(address: string): bigint {
  if (!isIPv6(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const [left = '', right = ''] = new SocketAddress({ address, family: 'ipv6' }).address.split('::')
  const parts = (text: string) => (text === '' ? [] : text.split(':'))
  const missing = 8 - parts(left).length - parts(right).length
  const all = [...parts(left), ...Array<string>(missing).fill('0'), ...parts(right)]
  return all.reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n)
}
