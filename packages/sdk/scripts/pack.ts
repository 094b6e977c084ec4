/** Builds the package and writes it to the given file, as `npm install` takes it from an address. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const file = path.resolve(process.argv[2] ?? 'muripo.tgz')
const folder = path.dirname(file)
mkdirSync(folder, { recursive: true })
const work = mkdtempSync(path.join(folder, '.sdk-'))
try {
  const built = path.join(work, 'package')
  execFileSync(process.execPath, [fileURLToPath(new URL('build.ts', import.meta.url)), built])
  const pack = ['pack', built, '--pack-destination', work, '--ignore-scripts', '--json']
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8' }))
  // A gateway that serves the folder already never reads half of the file.
  renameSync(path.join(work, filename), file)
} finally {
  rmSync(work, { recursive: true, force: true })
}
