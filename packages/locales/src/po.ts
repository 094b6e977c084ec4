import PO from 'pofile'

/** The translations of a file by their keys. */
export const readTranslations = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(PO.parse(text).items.map(({ msgctxt, msgstr }) => [msgctxt, msgstr[0] ?? '']))
