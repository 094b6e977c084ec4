import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@muripo/rig/listen'
import { isReady, outputOf } from '../../scripts/lib/child.ts'
import { repository } from '../../scripts/lib/repository.ts'
import { defineDrill, refuse } from '../lib/define-drill.ts'

const account = 10_001
const readyTimeoutMs = 180_000
const tools = ['/usr/sbin/debootstrap', '/usr/bin/buildah', '/usr/lib/node_modules/npm', '/usr/bin/node']

interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Cmd: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
}

export const drill = defineDrill({
  describe:
    'builds deploy/Containerfile over a debootstrapped base and starts it without rights (root, Debian)',
  options: {},
  async run() {
    const missing = tools.filter((tool) => !existsSync(tool))
    if (process.getuid?.() !== 0 || missing.length > 0)
      refuse(
        `The drill needs root, and Debian's debootstrap, buildah, node and npm. Missing: ${missing.join(', ')}`,
      )
    await buildAndStart()
  },
})

/** Builds the image, checks its configuration, and starts it as a container platform would: read-only root, no rights. */
async function buildAndStart(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-container-'))
  const store = ['--root', `${directory}/store`, '--runroot', `${directory}/run`, '--storage-driver', 'vfs']
  const buildah = (...args: string[]) => output('buildah', ...store, ...args)
  try {
    timed('the base', () => makeBase(path.join(directory, 'base'), buildah))
    const context = path.join(directory, 'context')
    mkdirSync(context)
    output('sh', '-c', `git -C ${repository} archive HEAD | tar -x -C ${context}`)
    const file = path.join(context, 'deploy/Containerfile')
    const options = ['--isolation', 'chroot', '--network', 'host', '--layers=false', '--format', 'docker']
    timed('the image', () =>
      buildah(
        'bud',
        ...options,
        '--build-arg',
        'BASE=localhost/base',
        '--tag',
        'muripo',
        '--file',
        file,
        context,
      ),
    )
    const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'muripo'))
    const config: ImageConfig = Docker.config
    if (config.User !== `${account}:${account}`) throw new Error(`The image runs as ${config.User}`)
    await startAndStop(buildah('mount', buildah('from', 'muripo')), path.join(directory, 'data'), config)
    buildah('umount', '--all')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Debian with this machine's node and npm, because the machine may reach no registry of images. */
function makeBase(root: string, buildah: (...args: string[]) => string): void {
  output('debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', root)
  cpSync('/usr/bin/node', `${root}/usr/bin/node`)
  cpSync('/usr/lib/node_modules/npm', `${root}/usr/lib/node_modules/npm`, { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', `${root}/usr/bin/npm`)
  // The registry may have a certificate that only this machine trusts.
  cpSync('/etc/ssl/certs/ca-certificates.crt', `${root}/etc/ssl/certs/ca-certificates.crt`)
  mkdirSync(`${root}/usr/etc`)
  writeFileSync(`${root}/usr/etc/npmrc`, 'cafile=/etc/ssl/certs/ca-certificates.crt\n')
  const container = buildah('from', 'scratch')
  output('tar', '-C', root, '-cf', `${root}.tar`, '.')
  buildah('add', container, `${root}.tar`, '/')
  buildah('commit', '--quiet', '--rm', container, 'localhost/base')
}

/** A mount namespace of its own, in which the root of the image is read-only but for /data and /tmp, and an account without rights. */
const asContainer = `
set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount -o remount,bind,ro "$ROOT"
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
mount --bind "$DATA" "$ROOT/data"
mount --rbind /proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
exec chroot "$ROOT" setpriv --reuid ${account} --regid ${account} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
  sh -c 'cd /muripo && exec "$@"' sh "$@"`

async function startAndStop(root: string, data: string, image: ImageConfig): Promise<void> {
  mkdirSync(data)
  chownSync(data, account, account)
  const port = await freePort()
  const settings = [
    `PORT=${port}`,
    'PUBLIC_URL=https://pay.example.com',
    'SMTP_URL=smtps://mail.example.com',
    'PROVIDER_ACCOUNTS=database',
    'DRAIN_SECONDS=1',
    `MURIPO_MASTER_KEY=${randomBytes(32).toString('base64')}`,
  ]
  const environment = ['-i', ...image.Env, ...settings]
  const child = spawn(
    'unshare',
    ['--mount', 'sh', '-c', asContainer, 'sh', 'env', ...environment, ...image.Cmd],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, ROOT: root, DATA: data } },
  )
  const printed = outputOf(child)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  try {
    const since = performance.now()
    while (!(await isReady(`http://127.0.0.1:${port}`))) {
      if (child.exitCode !== null || performance.now() - since > readyTimeoutMs)
        throw new Error(`The image did not become ready:\n${printed()}`)
      await sleep(200)
    }
    console.log(
      `ready after ${((performance.now() - since) / 1000).toFixed(1)} s, as account ${account}, on a read-only root`,
    )
    output('chroot', root, 'env', ...environment, ...image.Healthcheck.Test.slice(1))
    console.log('the health check succeeds')
  } finally {
    child.kill('SIGTERM')
    const code = await ended
    console.log(`exit code ${code} after SIGTERM`)
    if (code !== 0) process.exitCode = 1
  }
}

function output(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim()
}

function timed(name: string, work: () => void): void {
  const since = performance.now()
  work()
  console.log(`${name} was built in ${((performance.now() - since) / 1000).toFixed(0)} s`)
}
