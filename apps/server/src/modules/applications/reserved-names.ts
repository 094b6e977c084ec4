/** Names that payers trust: wallets, card schemes, banks and payment companies of Zimbabwe, and this product. */
const reserved = [
  ...[
    'EcoCash',
    'Econet',
    'InnBucks',
    'OneMoney',
    'NetOne',
    'Omari',
    'Telecash',
    'Telecel',
    'Mukuru',
    'Paynow',
    'Pesepay',
  ],
  ...[
    'ZimSwitch',
    'ZIPIT',
    'Visa',
    'Mastercard',
    'Maestro',
    'American Express',
    'Amex',
    'Apple Pay',
    'Google Pay',
    'PayPal',
  ],
  ...[
    'AFC',
    'Agribank',
    'BancABC',
    'CABS',
    'CBZ',
    'Ecobank',
    'FBC',
    'First Capital',
    'Metbank',
    'Nedbank',
    'NBS',
    'NMB',
  ],
  ...[
    'POSB',
    'Stanbic',
    'Standard Chartered',
    'StanChart',
    'Steward Bank',
    'TN CyberTech',
    'ZB Bank',
    'ZWMB',
    'Empower Bank',
  ],
  ...['RBZ', 'Reserve Bank', 'ZIMRA', 'Muripo'],
]

/** The finding about a name with letters that are not those of English: a font may draw them like those. */
export const OTHER_LETTERS = 'other-letters'

/** Letters and signs that look like a letter of English, and have no decomposition in Unicode. */
const lookalikes = new Map(
  Object.entries({
    a: '4@аαɑᴀ∂ⲁ',
    b: '8вʙβьᏏ',
    c: '¢(сϲᴄƈⅽ',
    d: 'ԁᴅɗ',
    e: '3€℮еєεᴇɛ',
    f: 'ϝꜰƒ',
    g: '9ɡɢԍց',
    h: 'һнʜհ',
    j: 'јᴊϳ',
    k: 'кκᴋ',
    l: '1!|iіıɪιӏʟƖǀ',
    m: 'мᴍ',
    n: 'пոɴηռ',
    o: '0оοᴏօøσ',
    p: 'рρᴘ',
    q: 'ԛզ',
    r: 'гʀᴦ',
    s: '5$ѕꜱʂ',
    t: '7+тτᴛ',
    u: 'υսᴜʋц',
    v: 'ѵνᴠ',
    w: 'ԝωᴡѡш',
    x: '×хχ',
    y: 'уүʏγ',
    z: '2ᴢʐ',
  }).flatMap(([letter, others]) => [...others].map((other): [string, string] => [other, letter])),
)

/** The first letters A of the enclosed alphabets that Unicode gives no decomposition. */
const enclosedAlphabets = [0x1f150, 0x1f170, 0x1f1e6] as const

function fromEnclosed(character: string): string {
  const codePoint = character.codePointAt(0) as number
  const first = enclosedAlphabets.find((start) => codePoint >= start && codePoint < start + 26)
  return first === undefined ? character : String.fromCharCode(97 + codePoint - first)
}

/** Capitals of Greek, whose small letters look like other letters than they do. */
const greekCapitals = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'
const likeGreekCapitals = 'ABEZHIKMNOPTYX'

const decomposed = (name: string): string => name.normalize('NFKC').normalize('NFD').replace(/\p{M}/gu, '')

const asEnglish = (character: string): string => {
  const small = fromEnclosed(
    greekCapitals.includes(character)
      ? likeGreekCapitals.charAt(greekCapitals.indexOf(character))
      : character,
  ).toLowerCase()
  return lookalikes.get(small) ?? small
}

/** The words of a name as a reader sees them: letters that look alike are one letter. */
const wordsOf = (name: string): string[] =>
  Array.from(decomposed(name), asEnglish)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .split(/[^a-z]+/)
    .filter((word) => word !== '')

const joined = (name: string): string => wordsOf(name).join('')

/** Shorter words are found at the beginning or the end of words only, and words of three letters only whole. */
const LONG = 6
const WHOLE = 3

/** Whether a name contains a reserved word, with or without spaces in it. */
function contains(words: readonly string[], word: string): boolean {
  if (word.length >= LONG) return words.join('').includes(word)
  return words.some((_, start) => {
    const rest = words.slice(start).join('')
    const before = words.slice(0, start + 1).join('')
    if (word.length > WHOLE) return rest.startsWith(word) || before.endsWith(word)
    return words.slice(start).some((_, length) => words.slice(start, start + length + 1).join('') === word)
  })
}

/** Letters of other alphabets, and letters in boxes and circles that Unicode gives no decomposition. */
const hasOtherLetters = (name: string): boolean =>
  Array.from(decomposed(name)).some((each) => /(?![A-Za-z])\p{L}/u.test(each) || fromEnclosed(each) !== each)

/**
 * The reserved words that a reader may see in a name, and `other-letters` for letters that are not those of English.
 * @param own names of the operator
 */
export function reservedWordsIn(name: string, own: readonly string[] = []): string[] {
  const words = wordsOf(name)
  const found = [...new Set([...reserved, ...own])].filter((each) => {
    const word = joined(each)
    return word.length >= WHOLE && contains(words, word)
  })
  return hasOtherLetters(name) ? [...found, OTHER_LETTERS] : found
}

/** Labels of host names that name no company. */
const generic = new Set([
  'api',
  'app',
  'checkout',
  'gateway',
  'localhost',
  'pay',
  'payment',
  'payments',
  'test',
  'www',
])

/** The operator's names: the sender of emails, and the host of the public address without its endings. */
export function operatorNames({ mailFrom, publicUrl }: { mailFrom: string; publicUrl: string }): string[] {
  const sender = mailFrom.includes('<')
    ? mailFrom.slice(0, mailFrom.indexOf('<')).replaceAll('"', '').trim()
    : ''
  const { hostname } = new URL(publicUrl)
  const labels = /^[\d.]+$|:/.test(hostname) ? [] : hostname.split('.').slice(0, -1)
  const own = labels.filter((label) => label.length > WHOLE && !generic.has(label))
  return [sender, ...own].filter((name) => name !== '')
}

/** The words of `found` that an operator has not named in `allowed`. */
export function unnamedWords(found: readonly string[], allowed: string): string[] {
  const named = new Set(allowed.split(',').map(joined))
  return found.filter((word) => !named.has(joined(word)))
}
