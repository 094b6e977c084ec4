/**
 * Writes `dist`, the published package: JavaScript and its types without dependencies, as ES modules and as CommonJS, because TypeScript
 * before 5.8 and Node before 20.19 refuse to require an ES module.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const outDir = path.resolve(process.argv[2] ?? at('dist'))

const formats = { esm: 'module', cjs: 'commonjs' } as const

rmSync(outDir, { recursive: true, force: true })
for (const [folder, type] of Object.entries(formats)) compile(path.join(outDir, folder), type)
const { name, version, description, license } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const entry = (folder: string) => ({ types: `./${folder}/index.d.ts`, default: `./${folder}/index.js` })
writeJson(path.join(outDir, 'package.json'), {
  name,
  version,
  description,
  license,
  type: 'module',
  engines: { node: '>=20' },
  sideEffects: false,
  // For tools that do not read `exports`.
  main: './cjs/index.js',
  types: './cjs/index.d.ts',
  exports: { '.': { import: entry('esm'), require: entry('cjs') }, './package.json': './package.json' },
})
for (const file of ['README.md', '../../LICENSE'])
  copyFileSync(at(file), path.join(outDir, path.basename(file)))

/** The compiler decides by the nearest package.json whether a file is an ES module. */
function compile(folder: string, type: string): void {
  const options = [
    '--outDir',
    folder,
    ...(type === 'commonjs'
      ? ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false']
      : []),
  ]
  execFileSync('tsc', ['-p', at('tsconfig.build.json'), ...options], { stdio: 'inherit' })
  writeJson(path.join(folder, 'package.json'), { type })
  // The compiler rewrites the extensions of imports in JavaScript only, and TypeScript before 5 refuses those of the sources.
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const declared = readFileSync(path.join(folder, file), 'utf8')
    writeFileSync(path.join(folder, file), declared.replace(/(from ['"]\.[^'"]+)\.ts(?=['"])/g, '$1.js'))
  }
}

function writeJson(file: string, content: unknown): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
