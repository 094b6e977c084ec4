import { compileMessage } from '@lingui/message-utils/compileMessage'

const accents = new Map(
  [...'aáeéiíoóuúcçnñsšyýzžAÁEÉIÍOÓUÚCÇNÑSŠYÝZŽ'.matchAll(/(.)(.)/gu)].map(([, plain, other]) => [
    plain,
    other,
  ]),
)

/** Longer words in letters with accents: translations grow by a third. */
const disguised = (text: string): string =>
  [...text.replace(/\p{L}{4,}/gu, (word) => word + word.slice(-2))]
    .map((letter) => accents.get(letter) ?? letter)
    .join('')

/** The message of a language that nobody reads: text without brackets on a page is not translated, and text without its last one is clipped. */
export const pseudoMessage = (text: string) => ['⟦', ...compileMessage(text, disguised), '⟧']
