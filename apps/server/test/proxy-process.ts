import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Certificate } from '@muripo/testing/certificate'

const examples = fileURLToPath(new URL('../../../deploy/proxies', import.meta.url))

/** A program of a Debian package, also when the PATH of the tests lacks its folder. */
const findProgram = (name: string): string | undefined =>
  ['/usr/bin', '/usr/sbin'].map((folder) => path.join(folder, name)).find((file) => existsSync(file))

interface Kind {
  readonly example: string
  /** Texts of the example, and the paths and ports of the test in their place. */
  replacements(to: Placement): Record<string, string>
  /** Returns the whole configuration around the example. */
  wrap?(example: string, to: Placement): string
  command(file: string, to: Placement): string[]
}

interface Placement {
  readonly directory: string
  readonly port: number
  readonly gateways: readonly [number, number]
  /** The calls that a gateway gets at once; undefined for the number of the example. */
  readonly places: number | undefined
}

const upstreams = ({ gateways }: Placement) => ({
  '127.0.0.1:3001': `127.0.0.1:${gateways[0]}`,
  '127.0.0.1:3002': `127.0.0.1:${gateways[1]}`,
})

const limited = ({ places }: Placement, setting: string) =>
  places === undefined ? {} : { [setting]: setting.replace(/\d+$/, String(places)) }

const kinds = {
  caddy: {
    example: 'Caddyfile',
    replacements: (to) => ({
      ...upstreams(to),
      ...limited(to, 'unhealthy_request_count 3000'),
      '{\n\tservers {': '{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {',
      '{$SITE:pay.example.com} {': `https://localhost:${to.port} {\n\ttls ${to.directory}/cert.pem ${to.directory}/key.pem`,
    }),
    command: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  nginx: {
    example: 'nginx.conf',
    replacements: (to) => ({
      ...upstreams(to),
      ...limited(to, 'max_conns=1000'),
      'listen 443': `listen 127.0.0.1:${to.port}`,
      'pay.example.com': 'localhost',
      '/etc/ssl/muripo/fullchain.pem': `${to.directory}/cert.pem`,
      '/etc/ssl/muripo/privkey.pem': `${to.directory}/key.pem`,
    }),
    wrap: (example, { directory }) => `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${directory}/nginx.pid;
error_log stderr;
events {}
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n')}
${example}
}
`,
    command: (file) => ['-c', file],
  },
  haproxy: {
    example: 'haproxy.cfg',
    replacements: (to) => ({
      ...upstreams(to),
      ...limited(to, 'maxconn 1000'),
      // Each connection needs two file descriptors, which a test may not have.
      'maxconn 20000': 'maxconn 200',
      'bind :443': `bind 127.0.0.1:${to.port}`,
      '/etc/ssl/muripo/pay.example.com.pem': `${to.directory}/both.pem`,
    }),
    command: (file) => ['-f', file],
  },
} as const satisfies Record<string, Kind>

export type ProxyName = keyof typeof kinds
export const proxyNames = Object.keys(kinds) as ProxyName[]
export const isInstalled = (name: ProxyName): boolean => findProgram(name) !== undefined

export interface ProxyProcess {
  readonly port: number
  stop(): Promise<void>
}

export interface ProxyOptions {
  /** The calls that a gateway gets at once; otherwise the number of the example. */
  readonly places?: number
  /** Returns the configuration of the test with further changes. */
  readonly adapt?: (configuration: string) => string
}

/** Starts the real proxy with the example of `deploy/proxies`, over a certificate and two gateways of a test. */
export async function startProxy(
  name: ProxyName,
  certificate: Certificate,
  gateways: readonly [number, number],
  { places, adapt = (example) => example }: ProxyOptions = {},
): Promise<ProxyProcess> {
  const kind: Kind = kinds[name]
  const directory = await mkdtemp(path.join(tmpdir(), `muripo-${name}-`))
  const to = { directory, port: await freePort(), gateways, places }
  let text = await readFile(path.join(examples, kind.example), 'utf8')
  for (const [from, replacement] of Object.entries(kind.replacements(to))) {
    if (!text.includes(from)) throw new Error(`${kind.example} does not contain ${from}`)
    text = text.replaceAll(from, replacement)
  }
  const file = path.join(directory, kind.example)
  const { cert, key } = certificate
  await writeFile(file, adapt(kind.wrap?.(text, to) ?? text))
  await writeFile(path.join(directory, 'cert.pem'), cert)
  await writeFile(path.join(directory, 'key.pem'), key)
  await writeFile(path.join(directory, 'both.pem'), `${cert.trim()}\n${key}`)

  const child = spawn(findProgram(name) ?? name, kind.command(file, to), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const stop = async () => {
    await end(child)
    await rm(directory, { recursive: true, force: true })
  }
  // Longer than the first round of every health check.
  for (const giveUpAt = performance.now() + 120_000; !(await listens(to.port)); await sleep(50)) {
    if (child.exitCode === null && performance.now() < giveUpAt) continue
    await stop()
    throw new Error(`${name} did not start:\n${output}`)
  }
  return { port: to.port, stop }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const deadline = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(deadline)
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
