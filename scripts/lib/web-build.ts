import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { compileCache, outputOf } from './child.ts'
import { repository } from './repository.ts'

const web = path.join(repository, 'apps/web')
export const webBuild = path.join(web, 'build')
/** Files with the hash of the sources: of a build that can be served, and of a build whose files are also compressed. */
const builtFile = path.join(webBuild, '.built')
const stampFile = path.join(webBuild, '.stamp')
const packSdk = path.join(repository, 'packages/sdk/scripts/pack.ts')

export interface WebBuild {
  /** Resolves when the web app can be served. */
  readonly built: Promise<void>
  /** Resolves when there is a compressed copy beside each file that benefits from it. */
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

/** The hash of all sources of the build. */
function sources(): string {
  const folders = ['apps/web', ...packages(), 'packages/sdk']
  const files = globSync([...folders.map((folder) => `${folder}/**`), 'package-lock.json'], {
    cwd: repository,
    withFileTypes: true,
    exclude: (entry) =>
      ['node_modules', 'build', 'dist', '.react-router'].includes(entry.name) ||
      /\.test\.tsx?$/.test(entry.name),
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

/** Builds the web app when its sources have changed since the last build. */
export function buildWeb(log: (line: string) => void): WebBuild {
  const hash = sources()
  const isStamped = (file: string) => existsSync(file) && readFileSync(file, 'utf8') === hash
  if (isStamped(stampFile)) return { built: Promise.resolve(), done: Promise.resolve(), cancel: () => {} }
  let running: Step | undefined
  let isCancelled = false
  const run = async (command: string, args: readonly string[], options?: StepOptions) => {
    if (isCancelled) throw new Error('The build was cancelled')
    running = step(command, args, options)
    await running.ended
  }
  const built = async () => {
    if (isStamped(builtFile)) return
    log('building the web app')
    // An interrupted build must not count as complete.
    for (const file of [stampFile, builtFile]) rmSync(file, { force: true })
    await run('react-router', ['build'])
    // The site serves the package of the SDK.
    await run(process.execPath, [packSdk, path.join(webBuild, 'client/sdk/muripo.tgz')])
    writeFileSync(builtFile, hash)
  }
  const compressed = async (before: Promise<void>) => {
    await before
    await run(process.execPath, ['compress.ts'], { hasLowPriority: true })
    writeFileSync(stampFile, hash)
  }
  const first = built()
  const done = compressed(first)
  done.catch(() => undefined)
  return {
    built: first,
    done,
    cancel() {
      isCancelled = true
      endGroup(running?.pid)
    },
  }
}

/** Builds the web app with its compressed copies, and reports on the standard error. */
export const webBuilt = (): Promise<void> => buildWeb((line) => console.error(line)).done

interface Step {
  readonly pid: number | undefined
  readonly ended: Promise<void>
}

interface StepOptions {
  readonly hasLowPriority?: boolean
}

function step(command: string, args: readonly string[], { hasLowPriority = false }: StepOptions = {}): Step {
  const child = spawn(command, args, {
    cwd: web,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_COMPILE_CACHE: compileCache,
      ...process.env,
      NODE_ENV: 'production',
      PATH: `${path.join(repository, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
    },
  })
  if (hasLowPriority && child.pid !== undefined)
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  const output = outputOf(child)
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The web app could not be built:\n${output().trim()}`))
    })
  })
  return { pid: child.pid, ended }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // The process has ended already.
  }
}
