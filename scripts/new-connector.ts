/** Writes a connector, its contract test and its simulator as copies of the sample: npm run new-connector -- name */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './lib/repository.ts'

const [name = ''] = process.argv.slice(2)
const connector = `apps/server/src/modules/providers/${name}`
const simulator = `apps/simulator/src/${name}`

if (!/^[a-z][a-z0-9]{1,30}$/.test(name))
  stop('a name has lower-case letters and digits: npm run new-connector -- name')
if ([connector, simulator].some((folder) => existsSync(path.join(repository, folder))))
  stop(`${name} exists already`)

const capital = name.charAt(0).toUpperCase() + name.slice(1)
const renamed = (text: string) => text.replaceAll('Sample', capital).replaceAll('sample', name)

/** The sample connector is test code, two folders away from the connectors of the gateway. */
const moved = (text: string) =>
  text
    .replaceAll("'../../src/modules/providers/", "'../")
    .replaceAll("'../connector-contract.ts'", "'../../../../test/connector-contract.ts'")

const written = [
  ...copy('apps/server/test/sample-connector', connector, moved),
  ...copy('apps/simulator/src/sample', simulator, (text) => text),
  mount('apps/simulator/src/app.ts'),
]
spawnSync('biome', ['check', '--write', ...written], { cwd: repository, stdio: 'ignore' })

process.stdout.write(`${written.join('\n')}

The copies speak the protocol of the sample and pass the contract:
  npx vitest run ${connector}
docs/providers/README.md lists what follows: the protocol, settings, registry and documents.
`)

function copy(from: string, to: string, change: (text: string) => string): string[] {
  mkdirSync(path.join(repository, to), { recursive: true })
  return readdirSync(path.join(repository, from)).map((file) => {
    const text = readFileSync(path.join(repository, from, file), 'utf8')
    writeFileSync(path.join(repository, to, file), renamed(change(text)))
    return `${to}/${file}`
  })
}

/** Mounts the simulator of the provider beside the sample's. */
function mount(file: string): string {
  const text = readFileSync(path.join(repository, file), 'utf8')
  const line = "import { createSample } from './sample/simulator.ts'\n"
  const call = 'createSample(config, now)'
  if (!text.includes(line) || !text.includes(call)) stop(`${file} does not mount the sample`)
  const mounted = text.replace(line, `${line}${renamed(line)}`).replace(call, `${call}, ${renamed(call)}`)
  writeFileSync(path.join(repository, file), mounted)
  return file
}

function stop(reason: string): never {
  process.stderr.write(`new-connector: ${reason}\n`)
  process.exit(1)
}
