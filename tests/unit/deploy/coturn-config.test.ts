import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** The deployed configuration must deny every address that is not of the public internet. */

type Range = { ipv6: boolean; first: bigint; last: bigint }

const lines = readFileSync('deploy/coturn/turnserver.conf', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const valuesOf = (option: string) =>
  lines.filter((line) => line.startsWith(`${option}=`)).map((line) => line.slice(option.length + 1))

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

const denied = valuesOf('denied-peer-ip').map((line): Range => {
  const [from = '', to = from] = line.split('-')
  return { ipv6: isIPv6(from), first: numberOf(from), last: numberOf(to) }
})

function numberOf(address: string): bigint {
  if (!isIPv6(address)) return digits(address.split('.'), 256n, '')
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [left, right ?? ''].map((text) => (text === '' ? [] : text.split(':')))
  const gap = Array<string>(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill('0')
  return digits([...(before ?? []), ...gap, ...(after ?? [])], 65_536n, '0x')
}

function digits(parts: string[], base: bigint, prefix: string): bigint {
  return parts.reduce((sum, part) => sum * base + BigInt(prefix + part), 0n)
}

function rangeOf(block: string): Range {
  const [address = '', bits = ''] = block.split('/')
  const ipv6 = isIPv6(address)
  const first = numberOf(address)
  return { ipv6, first, last: first + 2n ** BigInt((ipv6 ? 128 : 32) - Number(bits)) - 1n }
}

function isDenied(ipv6: boolean, address: bigint): boolean {
  return denied.some((range) => range.ipv6 === ipv6 && range.first <= address && address <= range.last)
}

describe('relaying to', () => {
  test.each(special)('%s is denied from its first address to its last', (block) => {
    const { ipv6, first, last } = rangeOf(block)
    fc.assert(
      fc.property(fc.bigInt(first, last), (address) => isDenied(ipv6, address)),
      {
        examples: [[first], [last]],
      },
    )
  })

  test.each(['1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.169.0.0', '223.255.255.255'])(
    '%s is allowed',
    (address) => expect(isDenied(false, numberOf(address))).toBe(false),
  )

  test.each(['2000::1', '2001:200::1', '2606:4700::1111', '2a00:1450::8888', '3ffe::1'])('%s is allowed', (address) =>
    expect(isDenied(true, numberOf(address))).toBe(false),
  )

  test('no IPv6 range begins with ::, which coturn also applies to every IPv4 address', () => {
    expect(denied.filter(({ ipv6, first }) => ipv6 && first === 0n)).toEqual([])
  })

  test('there are no exceptions', () => {
    expect(valuesOf('allowed-peer-ip')).toEqual([])
    expect(lines).not.toContain('allow-loopback-peers')
  })
})

test('only holders of credentials of this service get in, and the file holds no secret', () => {
  expect(lines).toContain('use-auth-secret')
  for (const option of ['static-auth-secret', 'user', 'cli-password']) expect(valuesOf(option)).toEqual([])
  for (const flag of ['no-auth', 'lt-cred-mech']) expect(lines).not.toContain(flag)
})

test('unneeded features are off', () => {
  expect(lines).toEqual(expect.arrayContaining(['no-cli', 'no-multicast-peers', 'no-tcp-relay', 'fingerprint']))
})

test.each(['stale-nonce', 'user-quota', 'total-quota', 'max-bps'])('%s has a limit', (option) => {
  expect(valuesOf(option).map(Number)).toEqual([expect.toSatisfy((limit: number) => limit > 0)])
})
