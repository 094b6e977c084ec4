import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseGatewayConfig } from '../../apps/server/src/gateway-config.ts'
import { repository } from '../lib/repository.ts'
import { deploy, isInstalled, read, run, STOP_SECONDS } from './deploy.ts'

/** The variables of a file of systemd or of a container. */
const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value ?? '']]
    }),
  )

describe('deploy/install.sh', () => {
  const destdir = mkdtempSync(path.join(tmpdir(), 'muripo-install-'))
  const at = (...parts: string[]) => path.join(destdir, ...parts)
  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)
  const install = () => run(path.join(deploy, 'install.sh'), '--destdir', destdir, '--without-build')

  beforeAll(() => expect(install()).toMatchObject({ status: 0, stderr: '' }))
  afterAll(() => rmSync(destdir, { recursive: true, force: true }))

  test('only root and the service read the settings and the data', () => {
    expect(modeOf(at('etc/muripo'))).toBe('750')
    expect(modeOf(at('etc/muripo/muripo.env'))).toBe('640')
    expect(modeOf(at('var/lib/muripo'))).toBe('700')
  })

  test('the generated settings start a gateway once the addresses are filled in', () => {
    const settings = variablesIn(readFileSync(at('etc/muripo/muripo.env'), 'utf8'))
    const instance = variablesIn(readFileSync(at('etc/muripo/all.env'), 'utf8'))
    const config = parseGatewayConfig({
      NODE_ENV: 'production',
      ...settings,
      ...instance,
      PUBLIC_URL: 'https://pay.example',
      SMTP_URL: 'smtps://mail.example',
    })
    expect(config).toMatchObject({ role: 'all', port: 3001, trustedProxies: ['127.0.0.1'] })
    expect(config.masterKey).toHaveLength(32)
  })

  test('a second run keeps the settings and replaces the release', () => {
    const settings = readFileSync(at('etc/muripo/muripo.env'), 'utf8')
    writeFileSync(at('etc/muripo/api-2.env'), 'ROLE=api\nPORT=4000\n')
    const before = realpathSync(at('opt/muripo/current'))
    expect(install()).toMatchObject({ status: 0, stderr: '' })
    expect(readFileSync(at('etc/muripo/muripo.env'), 'utf8')).toBe(settings)
    expect(readFileSync(at('etc/muripo/api-2.env'), 'utf8')).toContain('PORT=4000')
    const after = realpathSync(at('opt/muripo/current'))
    expect(after).not.toBe(before)
    for (let each = 0; each < 3; each += 1) install()
    expect(readdirSync(at('opt/muripo/releases'))).toHaveLength(3)
  })

  test('a release contains the sources, and neither data nor dependencies', () => {
    const release = at('opt/muripo/current')
    expect(existsSync(path.join(release, 'apps/server/src/main.ts'))).toBe(true)
    for (const name of ['.git', 'node_modules', 'data', 'apps/web/build', 'test-results'])
      expect(existsSync(path.join(release, name)), name).toBe(false)
  })

  test('an unknown option is refused', () => {
    expect(run(path.join(deploy, 'install.sh'), '--nonsense').status).toBe(2)
  })

  test.skipIf(!isInstalled('shellcheck'))('shellcheck finds no error in the scripts', () => {
    const found = run(
      'shellcheck',
      path.join(deploy, 'install.sh'),
      path.join(deploy, 'compose/create-roles.sh'),
    )
    expect(found.stdout).toBe('')
  })
})

describe('the unit of systemd', () => {
  const unit = read('systemd/muripo@.service')

  test('waits for a stop, and has file descriptors for all connections', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(STOP_SECONDS)
    expect(Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(20_000)
  })

  test.skipIf(!isInstalled('systemd-analyze'))('is valid and exposes less than 2 of 10', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'muripo-unit-'))
    try {
      const file = path.join(folder, 'muripo@all.service')
      writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
      expect(run('systemd-analyze', 'verify', file)).toMatchObject({ status: 0, stderr: '' })
      const security = run('systemd-analyze', 'security', '--offline=true', '--threshold=20', file)
      expect(security.stdout).toContain('Overall exposure level')
      expect(security.status).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the Containerfile', () => {
  const text = read('Containerfile')

  test('takes its base by digest from an argument, and has no other image', () => {
    const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
    expect(images).toEqual([`\${BASE}`, 'base', 'base'])
    expect(text).toMatch(/^ARG BASE$/m)
  })

  test('runs as a user without rights, with a health check', () => {
    expect(text).toMatch(/^USER 10001:10001$/m)
    expect(text).toMatch(/^HEALTHCHECK /m)
    expect(existsSync(path.join(repository, '.dockerignore'))).toBe(true)
  })
})

interface ComposeService {
  readonly environment: Record<string, string>
  readonly read_only?: boolean
  readonly user?: string
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
  readonly volumes?: readonly string[]
  readonly networks: Record<string, { ipv4_address?: string }>
}

describe('the compose file', () => {
  const { services, volumes } = parse(read('compose/compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>
    volumes: Record<string, null>
  }
  const gateways = Object.entries(services).filter(([name]) => name.startsWith('gateway-'))

  test('starts two gateways, PostgreSQL, Caddy and a mail relay', () => {
    expect(Object.keys(services).sort()).toEqual(['caddy', 'gateway-1', 'gateway-2', 'postgres', 'relay'])
  })

  test('its settings start a gateway once the secrets are filled in', () => {
    for (const [, { environment }] of gateways) {
      const filled = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          value.replace(/\$\{\w+:\?[^}]*\}/g, 'secret'),
        ]),
      )
      const config = parseGatewayConfig({
        NODE_ENV: 'production',
        ...variablesIn(read('compose/muripo.env.example')),
        MURIPO_MASTER_KEY: 'dGhpcnR5LXR3byBieXRlcyBhcmUgYSBrZXksIHNhaWQ=',
        ...filled,
      })
      expect(config.databaseUrl).toContain('muripo_serving:secret@postgres')
    }
  })

  test('a gateway has no rights, writes only to its volumes, and has the time to stop', () => {
    expect(gateways).toHaveLength(2)
    for (const [, gateway] of gateways) {
      expect(gateway).toMatchObject({ read_only: true, user: '10001:10001', cap_drop: ['ALL'] })
      expect(Number.parseInt(gateway.stop_grace_period ?? '', 10)).toBeGreaterThan(STOP_SECONDS)
    }
  })

  test('Caddy reaches both gateways from the address that they trust', () => {
    const { caddy } = services
    expect(caddy?.environment.UPSTREAMS?.split(' ')).toEqual(
      gateways.map(([name, { environment }]) => `${name}:${environment.PORT}`),
    )
    for (const [, { environment }] of gateways)
      expect(environment.TRUSTED_PROXIES).toBe(caddy?.networks.inside?.ipv4_address)
  })

  test('every volume and every file that it names exists', () => {
    for (const mounted of Object.values(services).flatMap(({ volumes: all = [] }) => all)) {
      const [source = ''] = mounted.split(':')
      if (source.startsWith('.')) expect(existsSync(path.join(deploy, 'compose', source)), source).toBe(true)
      else expect(Object.keys(volumes)).toContain(source)
    }
  })
})
