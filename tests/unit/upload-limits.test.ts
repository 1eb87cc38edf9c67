import { expect, test } from 'vitest'
import type { AppError } from '#protocol/errors.ts'
import { type Upload, UploadLimits } from '../../server/platform/rules/upload-limits.ts'

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

test('an account and an address hold a number of uploads; small bodies are none', () => {
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
  // What comes from the operator's own machines is bounded over all alone.
  for (let count = 0; count < 10; count += 1) begin('own', null)
})

test('a body ends where its account or its address holds too many bytes', () => {
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
  // What still arrives of a body that was ended is not counted.
  all.arrived(two, 1_000)
  expect([all.bytes, all.size]).toEqual([40, 1])
})

test('over all, the largest body of the sender that holds most gives way, and not who comes with little', () => {
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

test('a body that is there as a whole is kept', () => {
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

test('nothing is left of what is over', () => {
  const { all, begin } = limits()
  const uploads = [begin('1', 'a', 'ada'), begin('2', 'a', 'bob'), begin('3', 'b', 'ada', false)]
  for (const upload of uploads) all.arrived(upload, 10)
  for (const upload of uploads) all.finish(upload)
  expect([all.bytes, all.size]).toEqual([0, 0])
  expect(JSON.stringify(begin('4', 'a', 'ada').holders.map(({ bytes, uploads: held }) => [bytes, held]))).toBe(
    '[[0,1],[0,1]]',
  )
})
