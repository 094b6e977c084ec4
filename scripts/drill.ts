import { globSync } from 'node:fs'
import path from 'node:path'
import { repository } from './lib/repository.ts'

interface Drill {
  /** One line in the list of drills. */
  readonly describe: string
  run(args: readonly string[]): Promise<void>
}

const folder = path.join(repository, 'scripts/drills')
const names = globSync('*.ts', { cwd: folder })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => path.basename(file, '.ts'))
  .sort()

const load = (drill: string): Promise<Drill> => import(path.join(folder, `${drill}.ts`))

const [name, ...args] = process.argv.slice(2)
if (name !== undefined && names.includes(name)) {
  await (await load(name)).run(args)
} else {
  console.log('npm run drill -- NAME [OPTIONS]\n')
  for (const each of names) console.log(`  ${each.padEnd(12)} ${(await load(each)).describe}`)
  process.exitCode = name === undefined ? 0 : 2
}
