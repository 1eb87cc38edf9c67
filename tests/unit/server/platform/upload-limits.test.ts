import { expect, test } from 'vitest'
import type { AppError } from '#protocol/errors.ts'
import { type Upload, UploadLimits } from '../../../../server/platform/rules/upload-limits.ts'

const bounds = { address: { uploads: 3, bytes: 100 }, account: { uploads: 2, bytes: 60 }, bytes: 200 }

function limits() {
  const all = new UploadLimits(bounds)
  const refused: string[] = []
  return {
    all,
    refused,
    begin: (name: string, address: string | null, account: string | null = null, isLarge = true): Upload =>
      all.begin({ address, account, isLarge, refuse: ({ code }: AppError) => refused.push(`${name} ${code}`) }),
  }
}

test('uploads of an account and of an address are limited; small bodies do not count', () => {
  const { all, begin } = limits()
  const first = begin('1', 'a', 'ada')
  begin('2', 'b', 'ada')
  expect(() => begin('3', 'c', 'ada')).toThrow(expect.objectContaining({ code: 'too-many-requests' }))
  begin('small', 'c', 'ada', false)
  all.finish(first)
  all.finish(first)
  begin('3', 'c', 'ada')
  for (const name of ['4', '5']) begin(name, 'c')
  expect(() => begin('6', 'c')).toThrow(expect.objectContaining({ code: 'too-many-requests' }))
  // Uploads from the operator's own machines have only the total limit.
  for (let count = 0; count < 10; count += 1) begin('own', null)
})

test('an upload is refused when its account or address exceeds its number of bytes', () => {
  const { all, refused, begin } = limits()
  const [one, two, three] = [begin('1', 'a', 'ada'), begin('2', 'a', 'ada'), begin('3', 'a', 'bob')]
  all.arrived(one, 40)
  all.arrived(two, 20)
  expect(refused).toEqual([])
  all.arrived(two, 1)
  expect(refused).toEqual(['2 too-many-requests'])
  all.arrived(three, 61)
  expect(refused).toEqual(['2 too-many-requests', '3 too-many-requests'])
  expect(all.bytes).toBe(40)
  // Later bytes of a refused upload are not counted.
  all.arrived(two, 1_000)
  expect([all.bytes, all.size]).toEqual([40, 1])
})

test('above the total limit, the largest upload of the largest sender is refused, not that of a small one', () => {
  const { all, refused, begin } = limits()
  const [large, larger, other, small] = [
    begin('large', 'a'),
    begin('larger', 'a'),
    begin('other', 'b'),
    begin('small', 'c'),
  ]
  all.arrived(large, 40)
  all.arrived(larger, 50)
  all.arrived(other, 80)
  all.arrived(small, 30)
  expect(refused).toEqual([])
  all.arrived(small, 1)
  expect(refused).toEqual(['larger unavailable'])
  expect(all.bytes).toBe(151)
})

test('an upload that has arrived completely is not refused', () => {
  const { all, refused, begin } = limits()
  const [whole, arriving] = [begin('whole', 'a'), begin('arriving', 'b')]
  begin('third', 'c')
  all.arrived(whole, 100)
  whole.isArriving = false
  all.arrived(arriving, 100)
  const late = begin('late', 'c')
  all.arrived(late, 1)
  expect(refused).toEqual(['arriving unavailable'])
})

test('finished uploads leave no state', () => {
  const { all, begin } = limits()
  const uploads = [begin('1', 'a', 'ada'), begin('2', 'a', 'bob'), begin('3', 'b', 'ada', false)]
  for (const upload of uploads) all.arrived(upload, 10)
  for (const upload of uploads) all.finish(upload)
  expect([all.bytes, all.size]).toEqual([0, 0])
  expect(JSON.stringify(begin('4', 'a', 'ada').holders.map(({ bytes, uploads: held }) => [bytes, held]))).toBe(
    '[[0,1],[0,1]]',
  )
})
