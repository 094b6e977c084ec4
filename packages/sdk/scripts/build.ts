/** Writes `dist`, the published package: JavaScript and its types, without dependencies. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const outDir = process.argv[2] ?? at('dist')

rmSync(outDir, { recursive: true, force: true })
execFileSync('tsc', ['-p', at('tsconfig.build.json'), '--outDir', outDir], { stdio: 'inherit' })
const { name, version, description, license, type } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
writeFileSync(
  `${outDir}/package.json`,
  `${JSON.stringify(
    {
      name,
      version,
      description,
      license,
      type,
      engines: { node: '>=20' },
      sideEffects: false,
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
    },
    null,
    2,
  )}\n`,
)
copyFileSync(at('README.md'), `${outDir}/README.md`)
