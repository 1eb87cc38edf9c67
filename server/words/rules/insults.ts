import { cuss as english } from 'cuss'
import { cuss as spanish } from 'cuss/es'
import { cuss as french } from 'cuss/fr'
import { cuss as italian } from 'cuss/it'
import { cuss as portuguese } from 'cuss/pt'
import naughty from 'naughty-words'
import { type Folded, type FoldedWord, looksLike, looksPartly } from './folded.ts'

/**
 * Entries of the word lists that are not refused, because they are also names or everyday words, by the language of the
 * list or of the name.
 */
const honest = {
  ar: 'ثدي مص بز حلمة فرج شهوة شاذ جماع لبوة شرج',
  cs: 'bordel flundra',
  da: 'pik pis',
  de: 'bonze fratze ische kimme lümmel möpse mufti nackt rosette schabracke schiesser schnackeln orgasmus',
  en: `anal butt dick mong coon coons cum cumming negro hooker lolita poon quim jizz hardcore skeet snatch twinkie twinkies escort
    eunuch fingering kike santorum`,
  es: 'concha infierno martillo trio drogas orina pis asno maldito semen sexo heroína asesinato nazi racista pezón chupada marica pinche',
  fa: 'سوپر داف تجاوز لخت لش برهنه کس منی حشر حشری لاپا',
  fi: `haahka hatullinen hitto hitosti jätkä lahtari molo muna munaton mutiainen nainti narttu paljaalla palli pallit paneskella panettaa
    panna pano pehko pipari piru pistää reikä reva ripsipiirakka rättipää tavara toosa tuhkalu kusi kusta`,
  fil: 'bobo tanga',
  fr: 'con conne folle bourré bourrée gerbe gerber pédale pédé péter gueule chatte bite tanche trique meuf tapette baiser pipi zizi bander negro',
  hi: `bhangi hawas hijra kamine kaminey kutta lund maal najayaz pataka patakha randi saala suar tatti gucchi gucchu gasti chakke aand
    choche mutth raand`,
  hu: 'barom búr buksza fing franc kúr marha marhák marhákat marhát pele pelék pofa pofákat pofát pina szar',
  it: `balle battere biga brinca cadavere casci cesso checca cozza fava finocchio guardone mona monta montare mussa pecorina pesce picio
    pippa pisello pistolotto pompa porca porco potta quaglia regina vacca madonna negro`,
  ko: '노모 로리타 망가 미친 야사 애자 유모 하드코어 호로 근친 자위',
  no: 'fan fanken faen pokker satan helvete shit',
  pl: 'dmuchać duperele jajco jajko burdel suka syf',
  pt: `aborto amador aranha ariano bastardo bissexual burro camisinha cerveja cocaína comer cona consolo corno heroína heterosexual
    homoerótico homosexual inferno lésbica lolita mama pau pinto saco torneira transar vibrador xana negro`,
  ru: 'bychara byk gol uboy perdet petuh бугор голый обнаженный офигеть секс фига хапать хрен мент тит',
  sv: 'fan hård moona moonade moonar moonat olla pippa pitt prutt runka skita stake sås tusan satan helvete pök subba',
  th: 'กะปิ ล้างตู้เย็น กู ห่า จู๋',
  tr: `am amı amlar amın amcığa çingene çingenede çingeneden çingeneler çingenelerde çingenelerden çingenelere çingeneleri çingenelerin
    çingenenin çingeneye çingeneyi`,
} as const

/** Texts whose meaning differs from that of their words. */
const honestPhrases: ReadonlySet<string> = new Set(
  'mainecoon summacumlaude magnacumlaude cumlaude vandyke dickvandyke kaffirlime'.split(' '),
)
const honestWords: ReadonlySet<string> = new Set(
  Object.values(honest).flatMap((words) => words.split(/\s+/).map((word) => word.normalize('NFKC').toLowerCase())),
)

/**
 * Insults and words of sex, from two maintained lists: naughty-words ("List of Dirty, Naughty, Obscene, and Otherwise Bad Words", CC BY
 * 4.0) and cuss (MIT), which rates how surely a word is an insult. Whole words are compared, so that "Scunthorpe" is no insult.
 */

const SURE = 2

/** The languages whose whole list counts. Chinese and Japanese have rules of their own; Esperanto, Klingon and Kabyle have few users. */
const { ar, cs, da, de, fa, fi, fil, hi, hu, ko, no, pl, ru, sv, th, tr } = naughty
const wholeLists = [ar, cs, da, de, fa, fi, fil, hi, hu, ko, no, pl, ru, sv, th, tr]
/** Slurs that only one of the lists has, or rates as sure. */
const slursOfOneList =
  'chink chinks gook gooks wop wops spick spicks golliwog kaffir kyke dyke faggots fag fags tard shemale kikes'.split(
    ' ',
  )

const normal = (word: string) => word.normalize('NFKC').toLowerCase()
const isHonest = (word: string) => honestWords.has(word)
const wordsOf = (words: readonly string[]) => words.map(normal).filter((word) => !isHonest(word))

/** Returns the words that both lists name, the second with a rating of at least `least`. */
function bothName(words: readonly string[], rated: Record<string, number>, least: number): string[] {
  const ratings = new Map(Object.entries(rated).map(([word, rating]) => [normal(word), rating]))
  return wordsOf(words).filter((word) => (ratings.get(word) ?? -1) >= least)
}

/** English words that are compared by their looks. */
const clearEnglish = [...bothName(naughty.en, english, SURE), ...slursOfOneList].filter((word) => !word.includes(' '))
/** Words that are long enough to be found inside longer ones: no honest word but "snigger" contains them. */
const insideWords = clearEnglish.filter((word) => word === 'fuck' || (word.length >= 6 && word !== 'darkie'))
const HONEST_AROUND = 'snigger'
/** Shorter Chinese entries are parts of everyday words, unless they have a character of `COARSE`. */
const CHINESE_MIN = 3
const COARSE = /[逼屄肏屌婊操]/u
const chinese = wordsOf(naughty.zh).filter(
  (word) => /^\p{Script=Han}{2,}$/u.test(word) && ([...word].length >= CHINESE_MIN || COARSE.test(word)),
)

const insults: ReadonlySet<string> = new Set([
  ...wholeLists.flatMap(wordsOf),
  ...bothName(naughty.es, spanish, 1),
  ...bothName(naughty.fr, french, 1),
  ...bothName(naughty.it, italian, 1),
  ...bothName(naughty.pt, portuguese, 1),
  ...chinese,
])
const explicit: ReadonlySet<string> = new Set(wordsOf([...naughty.en, ...naughty.es, ...naughty.ja, ...naughty.zh]))

/**
 * Letters of scripts other than Latin. A word of Latin letters with marks is not compared by its looks: "Paška" is a
 * name, "paska" Finnish for dirt.
 */
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{M}]/u

function isListed({ text, latin, looksLatin }: FoldedWord, list: ReadonlySet<string>): boolean {
  return list.has(text) || (looksLatin && OTHER_SCRIPT.test(text) && !isHonest(text) && list.has(latin))
}

const ENTRY_WORDS_MAX = 4

/** True if a word, or several successive words, are an entry of the list. */
function namesEntry({ words }: Folded, list: ReadonlySet<string>): boolean {
  return words.some((word, at) => {
    if (isListed(word, list)) return true
    const following = words.slice(at, at + ENTRY_WORDS_MAX).map(({ text }) => text)
    return following.some((_, last) => last > 0 && list.has(following.slice(0, last + 1).join(' ')))
  })
}

function isClear(word: FoldedWord): boolean {
  return !isHonest(word.text) && clearEnglish.some((one) => looksLike(word, one) || looksLike(word, `${one}s`))
}

function isClearInsult(word: FoldedWord): boolean {
  if (isClear(word)) return true
  if (isHonest(word.text)) return false
  return !word.text.includes(HONEST_AROUND) && insideWords.some((one) => looksPartly(word, one))
}

export function hasInsult(folded: Folded): boolean {
  const { words, joined } = folded
  if (honestPhrases.has(joined.text)) return false
  if (namesEntry(folded, insults) || insults.has(joined.text) || words.some(isClearInsult)) return true
  return chinese.some((phrase) => joined.text.includes(phrase)) || isClear(joined)
}

/** True of a text with a word of sex. A person may have such an interest, but it is not suggested to others. */
export function isExplicit(folded: Folded): boolean {
  return !honestPhrases.has(folded.joined.text) && namesEntry(folded, explicit)
}
