import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEvidenceVault } from '../../../server/moderation/evidence-vault.ts'
import type { EvidenceFacts } from '../../../server/moderation/rules/evidence-ports.ts'

const first = { id: 'first', secret: 'f'.repeat(32) }
const second = { id: 'second', secret: 's'.repeat(32) }
const vault = createEvidenceVault([first])

const jpeg = Buffer.from('a picture')
const about = {
  id: 'e1',
  kind: 'reporters-view',
  uploader: 'ada',
  subject: 'bob',
  session: 'm1',
  reporter: 'ada',
  userSession: 's1',
  print: '0f',
  at: 7,
} as const

test('a sealed picture can be opened, and the sealed bytes contain nothing of it', () => {
  const closed = vault.seal(about, jpeg)
  expect(vault.open(closed)).toEqual(jpeg)
  expect(Buffer.from(closed.sealed).includes(jpeg)).toBe(false)
  expect(vault.seal(about, jpeg).sealed).not.toEqual(closed.sealed)
})

test('evidence with a changed fact is neither opened nor signed again', () => {
  const texts = [
    'id',
    'uploader',
    'subject',
    'session',
    'reporter',
    'userSession',
    'sha256',
    'print',
    'keyId',
    'signature',
  ] as const
  const change = fc.oneof(
    fc.record({ name: fc.constantFrom(...texts), value: fc.string() }),
    fc.record({
      name: fc.constantFrom('session' as const, 'reporter' as const, 'print' as const),
      value: fc.constant(null),
    }),
    fc.record({ name: fc.constant('at' as const), value: fc.integer() }),
    fc.record({ name: fc.constant('kind' as const), value: fc.constantFrom('flagged', 'own-camera', 'waiting') }),
  )
  const closed = vault.seal(about, jpeg)
  fc.assert(
    fc.property(change, ({ name, value }) => {
      fc.pre(closed[name] !== value)
      const forged = { ...closed, [name]: value }
      expect(vault.open(forged)).toBeNull()
      expect(vault.amend(forged, { session: 'm2' })).toBeNull()
    }),
  )
})

test('bytes cannot move from one fact to the next', () => {
  const closed = vault.seal({ ...about, uploader: 'ad', subject: 'abob' }, jpeg)
  expect(vault.open({ ...closed, uploader: 'ada', subject: 'bob' })).toBeNull()
})

test('the picture of other evidence is refused, and so is one with a changed bit', () => {
  const [one, other] = [vault.seal(about, jpeg), vault.seal({ ...about, id: 'e2' }, Buffer.from('another'))]
  expect(vault.open({ ...one, sealed: other.sealed })).toBeNull()
  expect(vault.open({ ...one, sha256: other.sha256, signature: other.signature, sealed: other.sealed })).toBeNull()
  fc.assert(
    fc.property(fc.nat(one.sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
      const sealed = one.sealed.slice()
      sealed[at] = (sealed[at] ?? 0) ^ mask
      expect(vault.open({ ...one, sealed })).toBeNull()
    }),
  )
})

test('facts that the server itself has changed are signed again', () => {
  const closed = vault.seal({ ...about, kind: 'waiting', subject: 'ada', reporter: null }, jpeg)
  const change: Partial<EvidenceFacts> = { kind: 'own-camera', subject: 'ada', reporter: 'bob' }
  const amended = vault.amend(closed, change)
  expect(amended).toMatchObject(change)
  expect(amended && vault.open(amended)).toEqual(jpeg)
  expect(vault.open({ ...closed, ...change })).toBeNull()
})

test('a new key seals, the old one still opens, and without it nothing can be opened', () => {
  const before = vault.seal(about, jpeg)
  const rotated = createEvidenceVault([second, first])
  expect(rotated.open(before)).toEqual(jpeg)
  const after = rotated.seal(about, jpeg)
  expect([before.keyId, after.keyId]).toEqual(['first', 'second'])
  expect(vault.open(after)).toBeNull()
  expect(createEvidenceVault([second]).open(before)).toBeNull()
  // The same name for another key opens nothing either.
  expect(createEvidenceVault([{ ...second, id: 'first' }]).open(before)).toBeNull()
})
