/**
 * Writes the present English texts into the .po files of the translations: run it after a text was added, changed or removed.
 * With --verify it writes nothing, and fails where it would.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { type CatalogueName, catalogues, fileOf, translatedLocales } from '@muripo/locales/catalogues'
import { updateTranslations } from '@muripo/locales/po'

const verify = process.argv.includes('--verify')

for (const name of Object.keys(catalogues) as CatalogueName[])
  for (const locale of translatedLocales) {
    const file = fileOf(name, locale)
    const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return ''
    })
    const updated = updateTranslations(known, catalogues[name], locale)
    if (updated === known) continue
    if (!verify) {
      await writeFile(file, updated)
      continue
    }
    console.log(`${file} lacks the present English texts: npm run translations`)
    process.exitCode = 1
  }
