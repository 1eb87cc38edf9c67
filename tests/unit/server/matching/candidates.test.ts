import { describe, expect, test } from 'vitest'
import { mayBeTried, networkOfUser, withoutCandidates } from '../../../../server/matching/rules/candidates.ts'

const at = (address: string, type = 'host') => `candidate:1 1 udp 2113937151 ${address} 50000 typ ${type} generation 0`
const hidden = '2a6d8c0e-95ae-4a2b-8d4b-6a1f0c7d9e3f.local'
const privateAddresses = [
  '10.0.0.1',
  '172.16.5.4',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  'fe80::1',
  'fd12::1',
  '::ffff:10.0.0.1',
  hidden,
]
const [home, elsewhere] = [networkOfUser('81.2.69.160'), networkOfUser('2a02:c7c:1:2::9')]
const [lan, loopback] = [networkOfUser('192.168.1.20'), networkOfUser('::1')]

describe('a candidate of a private address', () => {
  test.each(privateAddresses)('%s is tried only from its own network', (address) => {
    expect(mayBeTried(at(address), home, elsewhere)).toBe(false)
    expect(mayBeTried(at(address, 'relay'), elsewhere, home)).toBe(false)
    expect(mayBeTried(at(address), lan, home)).toBe(false)
    expect(mayBeTried(at(address), home, lan)).toBe(false)
    expect(mayBeTried(at(address), home, home)).toBe(true)
    expect(mayBeTried(at(address), lan, lan)).toBe(true)
    expect(mayBeTried(at(address), lan, loopback)).toBe(true)
  })

  test('two addresses of one home count as one network: the same IPv4 address, or the same /64', () => {
    const others = [networkOfUser('2a02:c7c:1:2:aaaa::1'), networkOfUser('::ffff:81.2.69.160')]
    expect(others).toEqual([elsewhere, home])
  })
})

test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])(
  '%s is tried only if both users come from loopback',
  (address) => {
    for (const [from, to] of [
      [home, elsewhere],
      [home, home],
      [lan, lan],
      [lan, loopback],
    ] as const)
      expect(mayBeTried(at(address), from, to)).toBe(false)
    expect(mayBeTried(at(address), loopback, loopback)).toBe(true)
  },
)

test('public addresses are tried, but not those of the network of the user who would send there', () => {
  for (const address of ['81.2.69.160', '9.9.9.9', '2620:fe::fe', '2a02:c7c:1:2::9'])
    expect(mayBeTried(at(address, 'srflx'), home, '1.1.1.1')).toBe(true)
  expect(mayBeTried(at('2a02:c7c:1:2::1'), home, elsewhere)).toBe(false)
  expect(mayBeTried(at('81.2.69.160', 'srflx'), elsewhere, home)).toBe(false)
  expect(mayBeTried(at('81.2.69.160', 'srflx'), home, home)).toBe(true)
})

test.each([
  ['a name that the browser would resolve', at('router.local')],
  ['a host name', at('intranet.example')],
  ['a short form of an address', at('127.1')],
  ['an octal address', at('010.0.0.1')],
  ['a number for an address', at('2130706433')],
  ['a multicast address', at('224.0.0.251')],
  ['a broadcast address', at('255.255.255.255')],
  ['the unspecified address', at('0.0.0.0')],
  ['an address of 6to4, which contains another', at('2002:c0a8:101::1')],
  ['an address of NAT64, which contains another', at('64:ff9b::c0a8:101')],
  ['a candidate over TCP', 'candidate:1 1 tcp 1518280447 9.9.9.9 80 typ host tcptype passive'],
  ['two lines', `${at('9.9.9.9')}\r\na=${at('10.0.0.1')}`],
  ['text that is no candidate', 'candidate:1'],
])('%s is never tried', (_, candidate) => {
  for (const network of [home, lan, loopback, '']) expect(mayBeTried(candidate, network, network)).toBe(false)
})

test('the end of the candidates is passed on', () => {
  expect(mayBeTried('', home, elsewhere)).toBe(true)
})

test('to a user who is away, and whose network is not known, only public addresses are given', () => {
  for (const address of [...privateAddresses, '127.0.0.1', '::1'])
    for (const from of [lan, loopback, home, '']) expect(mayBeTried(at(address), from, null)).toBe(false)
  expect(mayBeTried(at('9.9.9.9'), home, null)).toBe(true)
})

test('where a server of before has the connection, the network is unknown and nothing is refused', () => {
  expect(mayBeTried(at('192.168.1.1'), '', home)).toBe(true)
})

test.each(['\r\n', '\n', '\r'])(
  'of a description the refused candidates are removed, with lines that end in %j',
  (end) => {
    const lines = [
      'v=0',
      'm=audio 9 X 1',
      `a=${at('10.0.0.1')}`,
      `A = Candidate:odd`,
      `a=${at('9.9.9.9')}`,
      'a=mid:0',
      '',
    ]
    const sdp = withoutCandidates(lines.join(end), (candidate) => mayBeTried(candidate, home, elsewhere))
    expect(sdp.split('\r\n')).toEqual(['v=0', 'm=audio 9 X 1', `a=${at('9.9.9.9')}`, 'a=mid:0', ''])
    expect(withoutCandidates(sdp, () => true)).toBe(sdp)
  },
)
