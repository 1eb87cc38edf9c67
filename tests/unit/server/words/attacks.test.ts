import { expect, test } from 'vitest'
import { normaliseInterest } from '#protocol/preferences.ts'
import { foldRefused } from '../../../../server/words/rules/refused-phrases.ts'
import { isInterestRefused, maySuggest, nicknameFault } from '../../../../server/words/rules/visible-words.ts'

// Rules: docs/product.md WELCOME-5, LOBBY-11.

const faultOf = (nickName: string) => nicknameFault(nickName, [])
const suggests = (interest: string) => maySuggest(normaliseInterest(interest), [])
const refuses = (interest: string) => isInterestRefused(normaliseInterest(interest), [])

test.each([
  'Moderator',
  'Waggle Support',
  'waggle',
  'WaggleHelp',
  'The Moderators',
  'Moderadora Ana',
  'Official Ana',
  'Site Admin',
  'SiteAdmin',
  'siteadmin',
  'Soporte',
  'Staff Member',
  // Cyrillic, Greek, Cherokee, small capitals, mathematical and full-width letters among Latin ones.
  'Мoderаtоr',
  'мodеrаtоr',
  'ΜΟDΕRΑΤΟR',
  'Ꮇoderator',
  'ᴍᴏᴅᴇʀᴀᴛᴏʀ',
  '𝓜𝓸𝓭𝓮𝓻𝓪𝓽𝓸𝓻',
  'Ｍｏｄｅｒａｔｏｒ',
  'Wаggle Suppоrt',
  'Mödérâtor',
  // One letter for another, repeated letters, and letters apart.
  'WaggIe Team',
  'rnoderator',
  'Moooderatorrr',
  'M o d e r a t o r',
  'Wag gle',
  'Sup port',
  'модератор',
  'Администратор Сайта',
  '管理员',
  '公式アカウント',
  '관리자',
  'مشرف',
  'ผู้ดูแลระบบ',
])('%s is a nickname of the staff', (nickName) => {
  expect(faultOf(nickName)).toBe('reserved')
})

test.each([
  ['five five five one two three'],
  ['Call six oh nine double four'],
  ['siete siete uno dos tres'],
  ['fivefivefive one'],
  ['cinco five cinco one'],
  ['fіvе fіvе fіvе оne'],
  ['sechs sechs eins zwei'],
  ['пять пять пять один'],
  ['五五五一二'],
  ['공일공사이'],
  ['پنج پنج پنج یک'],
  ['evil dot com'],
  ['evil dot sub dot fun'],
  ['visit evil dоt cоm'],
  ['evil punto com'],
  ['evil PUNTO net'],
  ['evildotcom'],
  ['e v i l d o t c o m'],
  ['evil com'],
  ['ana arroba gmail'],
  ['ewil kropka org'],
  ['зло точка ком'],
  ['www evil'],
])('%s is neither a nickname nor suggested, and may be an interest', (text) => {
  expect([faultOf(text), suggests(text), refuses(text)]).toEqual(['contact', false, false])
})

test.each(['waggle dot evil dot com', 'one two three', 'uno dos tres', 'call 555', '5 five 5'])(
  'the interest %s is not suggested, and may be kept',
  (interest) => {
    expect([suggests(interest), refuses(interest)]).toEqual([false, false])
  },
)

test.each([
  'nigger',
  'N i g g e r',
  'nіggеr',
  'niiiggerrr',
  'Niggers Out',
  'xxniggerxx',
  'faggot',
  'fаggоt',
  'FUUUCK YOU',
  'f u c k',
  'chink',
  'kikes',
  'hijo de puta',
  'Cabrón',
  'Hurensohn',
  'мудило',
  'хуй',
  'orospu',
  'kurwa',
  'enculé',
  'vaffanculo',
  '他妈的',
  '씨발',
  'شرموطة',
  'เย็ด',
])('%s is refused everywhere', (text) => {
  expect([faultOf(text), suggests(text), refuses(text)]).toEqual(['insult', false, true])
})

test.each(['sex', 'hentai', 'porn'])('%s may be an interest, and is neither suggested nor a nickname', (text) => {
  expect([faultOf(text), suggests(text), refuses(text)]).toEqual(['insult', false, false])
})

test('what moderators refuse is refused as whole words, by its looks, and in scripts without spaces', () => {
  const refused = foldRefused(['carl gruber', 'zorg', '王小明'])
  const outcome = (text: string) => [
    nicknameFault(text, refused),
    isInterestRefused(text, refused),
    maySuggest(text, refused),
  ]
  for (const text of ['Carl Gruber', 'see carl gruber', 'Саrl Grubеr', 'ZORG', 'zоrg club', 'z o r g', '我是王小明'])
    expect(outcome(text)).toEqual(['insult', true, false])
  for (const text of ['Carl', 'Gruber Carl', 'zorgon', '王小']) expect(outcome(text)).toEqual([null, false, true])
})
