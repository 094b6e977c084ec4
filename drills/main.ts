/** Runs a drill: npm run drill -- NAME */
import { globSync } from 'node:fs'
import path from 'node:path'
import type { Drill } from './lib/define-drill.ts'

const names = globSync('*/command.ts', { cwd: import.meta.dirname })
  .map((file) => path.dirname(file))
  .sort()

const load = async (name: string): Promise<Drill> => (await import(`./${name}/command.ts`)).drill

const [name, ...args] = process.argv.slice(2)
if (name !== undefined && names.includes(name)) {
  await (await load(name)).run(args)
  // Requests of the customers may still be open.
  process.exit()
}
console.log('npm run drill -- NAME [OPTIONS]\n')
for (const each of names) console.log(`  ${each.padEnd(12)} ${(await load(each)).describe}`)
process.exitCode = name === undefined ? 0 : 2
