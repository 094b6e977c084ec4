import PO from 'pofile'
import type { Texts } from './translator.ts'

/** The comment of a translation that no native speaker has reviewed; a reviewer replaces it by "reviewed by NAME, DATE". */
export const NOT_REVIEWED = 'not reviewed'

/** The translations of a file by their keys. */
export const readTranslations = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(PO.parse(text).items.map(({ msgctxt, msgstr }) => [msgctxt, msgstr[0] ?? '']))

/**
 * The file with the present English texts. New texts have no translation, translations of removed texts are left out, and a translation of an
 * earlier English text is marked as fuzzy.
 */
export function updateTranslations(text: string, english: Texts, locale: string): string {
  const po = PO.parse(text)
  po.headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
    Language: locale,
  }
  const known = new Map(po.items.map((item) => [item.msgctxt, item]))
  po.items = Object.entries(english).map(([key, source]) => {
    const item = known.get(key) ?? new PO.Item()
    if (item.msgid === source) return item
    if (item.msgid !== '') item.flags = { fuzzy: true }
    item.msgctxt = key
    item.msgid = source
    item.comments = [NOT_REVIEWED]
    return item
  })
  return `${po.toString().trimEnd()}\n`
}
