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
const phrases = 'mainecoon summacumlaude magnacumlaude cumlaude vandyke dickvandyke kaffirlime'.split(' ')

export const honestWords: ReadonlySet<string> = new Set(
  Object.values(honest).flatMap((words) => words.split(/\s+/).map((word) => word.normalize('NFKC').toLowerCase())),
)
export const honestPhrases: ReadonlySet<string> = new Set(phrases)
