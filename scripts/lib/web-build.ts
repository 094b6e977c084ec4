import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './repository.ts'

const web = path.join(repository, 'apps/web')
const stampFile = path.join(web, 'build/.stamp')

export interface WebBuild {
  readonly done: Promise<void>
  cancel(): void
}

/** The folders of our packages that the web app depends on. */
function packages(): string[] {
  const { dependencies } = JSON.parse(readFileSync(path.join(web, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const ours = Object.keys(dependencies).filter((name) => name.startsWith('@muripo/'))
  return ours.map((name) => name.replace('@muripo/', 'packages/'))
}

/** Everything the build is made from, as one hash. */
function sources(): string {
  const folders = ['apps/web', ...packages(), 'packages/sdk/examples']
  const files = globSync([...folders.map((folder) => `${folder}/**`), 'package-lock.json'], {
    cwd: repository,
    withFileTypes: true,
    exclude: (entry) =>
      ['node_modules', 'build', '.react-router'].includes(entry.name) || /\.test\.tsx?$/.test(entry.name),
  })
  const hash = createHash('sha256')
  for (const file of files
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(path.relative(repository, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/** Builds the web app when its sources are others than those of the last build. */
export function buildWeb(log: (line: string) => void): WebBuild {
  const hash = sources()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) {
    return { done: Promise.resolve(), cancel: () => {} }
  }
  log('building the web app')
  // A build that is cut off must not count as one.
  rmSync(stampFile, { force: true })
  const child = spawn('npm', ['run', 'build', '--silent', '-w', 'apps/web'], {
    cwd: repository,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PATH: `${path.join(repository, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code !== 0) {
        reject(new Error(`The web app could not be built:\n${output.trim()}`))
        return
      }
      writeFileSync(stampFile, hash)
      resolve()
    })
  })
  return { done, cancel: () => endGroup(child.pid) }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has ended already.
  }
}
