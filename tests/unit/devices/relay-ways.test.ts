import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isWeakDevice,
  type NetworkFinding,
  networkFinding,
  relaysBy,
  relayWays,
  type WayState,
} from '../../../src/devices/rules/relay-ways.ts'

const login = { username: 'one', credential: 'secret' }
const servers = [
  { urls: ['stun:stun.example.org'] },
  {
    urls: [
      'turn:turn.example.org',
      'turn:turn.example.org?transport=udp',
      'turn:turn.example.org?transport=tcp',
      'turns:turn.example.org:443?transport=tcp',
    ],
    ...login,
  },
]

test('every address of a relay belongs to one way, and STUN to none', () => {
  expect(relayWays.map((way) => relaysBy(servers, way))).toEqual([
    [{ urls: ['turn:turn.example.org', 'turn:turn.example.org?transport=udp'], ...login }],
    [{ urls: ['turn:turn.example.org?transport=tcp'], ...login }],
    [{ urls: ['turns:turn.example.org:443?transport=tcp'], ...login }],
  ])
  expect(relayWays.map((way) => relaysBy([{ urls: ['stun:stun.example.org'] }], way))).toEqual([[], [], []])
})

test.each<[WayState, WayState, WayState, NetworkFinding]>([
  ['open', 'open', 'open', 'well'],
  ['open', 'closed', 'closed', 'well'],
  ['closed', 'open', 'unoffered', 'no-udp'],
  ['closed', 'closed', 'open', 'no-udp'],
  ['unoffered', 'unoffered', 'open', 'well'],
  ['closed', 'closed', 'unoffered', 'no-relay-reached'],
  ['unoffered', 'unoffered', 'unoffered', 'direct-only'],
  ['open', 'checking', 'open', 'checking'],
])('UDP %s, TCP %s, TLS %s: %s', (udp, tcp, tls, finding) => {
  expect(networkFinding({ udp, tcp, tls })).toBe(finding)
})

test('UDP is said to be blocked only where it was tried in vain and another way is open', () => {
  const state = fc.constantFrom<WayState>('checking', 'open', 'closed', 'unoffered')
  fc.assert(
    fc.property(state, state, state, (udp, tcp, tls) => {
      const isBlocked = udp === 'closed' && [tcp, tls].includes('open') && ![tcp, tls].includes('checking')
      expect(networkFinding({ udp, tcp, tls }) === 'no-udp').toBe(isBlocked)
    }),
  )
})

test.each([
  [{ cores: 2, memoryGb: 8 }, true],
  [{ cores: 8, memoryGb: 2 }, true],
  [{ cores: 4, memoryGb: null }, false],
  [{ cores: 8, memoryGb: 8 }, false],
])('%j: whether the device is weak', (strength, isWeak) => {
  expect(isWeakDevice(strength)).toBe(isWeak)
})
