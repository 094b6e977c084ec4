/** Writes the present English texts into the .po files of the translations: run it after a text was added, changed or removed. */
import { readFile, writeFile } from 'node:fs/promises'
import { type CatalogueName, catalogues, fileOf, translatedLocales } from '@muripo/locales/catalogues'
import { updateTranslations } from '@muripo/locales/po'

for (const name of Object.keys(catalogues) as CatalogueName[])
  for (const locale of translatedLocales) {
    const file = fileOf(name, locale)
    const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return ''
    })
    await writeFile(file, updateTranslations(known, catalogues[name], locale))
  }
