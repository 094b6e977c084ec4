import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { commands } from '../../apps/server/src/admin/commands.ts'
import { parseCommand } from '../../apps/server/src/admin/parse-command.ts'
import { parseGatewayConfig } from '../../apps/server/src/gateway-config.ts'
import { compileCache } from '../lib/child.ts'
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
    for (let each = 0; each < 2; each += 1) install()
    expect(readdirSync(at('opt/muripo/releases'))).toHaveLength(3)
  })

  test('a release contains the sources, and neither data nor dependencies', () => {
    const release = at('opt/muripo/current')
    expect(existsSync(path.join(release, 'apps/server/src/main.ts'))).toBe(true)
    for (const name of ['.git', 'node_modules', 'data', 'apps/web/build', 'test-results'])
      expect(existsSync(path.join(release, name)), name).toBe(false)
  })

  test('a nightly timer runs a backup with the settings of the gateway, and both may write to the directory of backups', () => {
    const units = (name: string) => readFileSync(at('etc/systemd/system', name), 'utf8')
    expect(units('muripo-backup@.timer')).toMatch(/^OnCalendar=\*-\*-\* /m)
    const [backup, gateway] = ['muripo-backup@.service', 'muripo@.service'].map(units)
    const [, line = ''] = /^ExecStart=\S+ apps\/server\/src\/admin\/main\.ts (.+)$/m.exec(backup ?? '') ?? []
    expect(parseCommand(line.split(' '), commands)?.command.words).toBe('backup')
    const of = (unit = '', name = '') => unit.split('\n').filter((each) => each.startsWith(name))
    for (const name of ['User=', 'WorkingDirectory=', 'Environment=', 'EnvironmentFile='])
      expect(of(backup, name)).toEqual(of(gateway, name))
    for (const unit of [backup, gateway]) expect(unit).toMatch(/^ReadWritePaths=.*-\/var\/backups\/muripo$/m)
  })

  describe('the command muripo', () => {
    const muripo = (...args: string[]) =>
      spawnSync(at('usr/local/bin/muripo'), args, {
        encoding: 'utf8',
        cwd: '/',
        // The shell's database is not the service's.
        env: {
          PATH: '/usr/bin:/bin',
          NODE_COMPILE_CACHE: compileCache,
          DATABASE_URL: 'postgres://shell.invalid/shell',
        },
      })
    const settings = (...lines: string[]) =>
      writeFileSync(
        at('etc/muripo/muripo.env'),
        ['PUBLIC_URL=https://pay.example', 'SMTP_URL=smtps://mail.example', `MURIPO_MASTER_KEY=${key}`]
          .concat('PROVIDER_ACCOUNTS=database', 'MAIL_FROM=Muripo <no-reply@pay.example>', lines)
          .join('\n'),
      )
    const key = 'dGhpcnR5LXR3byBieXRlcyBhcmUgYSBrZXksIHNhaWQ='

    beforeAll(() => {
      expect(muripo('help')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/ run npm ci there\n$/),
      })
      symlinkSync(path.join(repository, 'node_modules'), at('opt/muripo/current/node_modules'))
    })

    test('prints help and its version, and refuses what it does not know in two lines', () => {
      settings()
      const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'))
      for (const words of [['--version'], ['admin', '--version']])
        expect(muripo(...words)).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
      const help = muripo('help')
      expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('  muripo COMMAND') })
      expect(help.stdout).not.toContain('npm run')
      expect(muripo('sell', 'shop')).toMatchObject({
        status: 2,
        stderr: 'There is no command "sell shop".\nSee: muripo help\n',
      })
    })

    test('works on the data and with the settings of the service alone, from any directory', () => {
      settings()
      const { stderr } = muripo('admin', 'merchants', 'list')
      expect(stderr).toContain(`No gateway runs on ${at('var/lib/muripo')}`)
      settings('DATABASE_URL="postgres://127.0.0.1:1/x?a=#b"')
      expect(muripo('merchants', 'list').stderr).toMatch(
        /^The database of DATABASE_URL cannot be reached \(ECONN/,
      )
      rmSync(at('etc/muripo/muripo.env'))
      expect(muripo('doctor')).toMatchObject({
        status: 1,
        stderr: `The settings in ${at('etc/muripo/muripo.env')} cannot be read (ENOENT).\n`,
      })
    })

    const nobody = 65_534
    const asNobody = (...words: string[]) =>
      run('setpriv', '--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups', ...words)
    const maySwitch = process.getuid?.() === 0 && asNobody(process.execPath, '--version').status === 0

    test.skipIf(!maySwitch)('takes the account of the service, and refuses any other one but root', () => {
      chmodSync(destdir, 0o755)
      expect(asNobody(at('usr/local/bin/muripo'), 'doctor')).toMatchObject({
        status: 1,
        stderr: 'Only root and the account of the gateway may run this command: begin it with sudo.\n',
      })
      chownSync(at('var/lib/muripo'), nobody, nobody)
      writeFileSync(at('only-root.pem'), '', { mode: 0o600 })
      settings(`NODE_EXTRA_CA_CERTS=${at('only-root.pem')}`)
      expect(muripo('backup', 'list').stderr).toContain('Permission denied')
    })

    test('an earlier release is made the current one by its link, as the document describes', () => {
      const releases = readdirSync(at('opt/muripo/releases')).sort()
      expect(releases.at(-1)).toMatch(/^\d{8}T\d{6}\.\d{9}-\d+\.\d+\.\d+$/)
      const [earlier = ''] = releases
      expect(run('ln', '-sfn', `releases/${earlier}`, at('opt/muripo/current')).status).toBe(0)
      expect(realpathSync(at('opt/muripo/current'))).toBe(realpathSync(at('opt/muripo/releases', earlier)))
      expect(realpathSync(at('usr/local/bin/muripo'))).toContain(earlier)
    })
  })

  test('an unknown option is refused', () => {
    expect(run(path.join(deploy, 'install.sh'), '--nonsense').status).toBe(2)
  })

  test.skipIf(!isInstalled('shellcheck'))('shellcheck finds no error in the scripts', () => {
    const found = run(
      'shellcheck',
      path.join(deploy, 'install.sh'),
      path.join(deploy, 'muripo'),
      ...['create-roles.sh', 'start-postgres.sh', 'backup.sh'].map((script) =>
        path.join(deploy, 'compose', script),
      ),
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

  test('starts two gateways after a migration, PostgreSQL, Caddy and a mail relay', () => {
    expect(Object.keys(services).sort()).toEqual([
      'caddy',
      'gateway-1',
      'gateway-2',
      'migrate',
      'postgres',
      'relay',
    ])
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

  test('only the migration has the address of the owner', () => {
    const named = Object.entries(services).filter(([, { environment }]) => environment?.MIGRATE_DATABASE_URL)
    expect(named.map(([name]) => name)).toEqual(['migrate'])
  })

  test('the database is below its volume with the image of every version', () => {
    const pgdata = services.postgres?.environment.PGDATA
    const mounted = services.postgres?.volumes ?? []
    const [, mount = ''] = mounted.find((each) => each.startsWith('database:'))?.split(':') ?? []
    expect(pgdata).toMatch(new RegExp(`^${mount}/`))
    // The volume of the images before version 18.
    expect(pgdata).not.toMatch(/^\/var\/lib\/postgresql\/data/)
  })

  describe('the start of PostgreSQL', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'muripo-compose-'))
    afterAll(() => rmSync(folder, { recursive: true }))
    const program = path.join(folder, 'docker-entrypoint.sh')
    writeFileSync(program, '#!/bin/sh\necho "started $*"\n', { mode: 0o755 })
    const start = (parent: string) =>
      spawnSync('sh', [path.join(deploy, 'compose/start-postgres.sh'), 'postgres', '-c', 'x=1'], {
        encoding: 'utf8',
        env: {
          PATH: `${folder}:/usr/bin:/bin`,
          DATABASE_PARENT: path.join(folder, parent),
          PGDATA: path.join(folder, parent, '18/docker'),
        },
      })
    const database = (...place: string[]) => {
      mkdirSync(path.join(folder, ...place), { recursive: true })
      writeFileSync(path.join(folder, ...place, 'PG_VERSION'), '17\n')
    }

    test('is that of the image, with a new database and with its own', () => {
      const started = { status: 0, stdout: 'started postgres -c x=1\n' }
      mkdirSync(path.join(folder, 'new/data'), { recursive: true })
      expect(start('new')).toMatchObject(started)
      database('new/18/docker')
      database('new/data')
      expect(start('new')).toMatchObject(started)
    })

    test.each(['.', 'data', '17/docker'])(
      'is refused beside a database of an earlier start in %s',
      (place) => {
        const parent = `earlier-${place.replaceAll('/', '-')}`
        database(parent, place)
        const refused = start(parent)
        expect(refused).toMatchObject({ status: 1, stdout: '' })
        expect(refused.stderr).toContain(`contains a database of PostgreSQL 17`)
      },
    )
  })

  test('every volume and every file that it names exists', () => {
    for (const mounted of Object.values(services).flatMap(({ volumes: all = [] }) => all)) {
      const [source = ''] = mounted.split(':')
      if (source.startsWith('.')) expect(existsSync(path.join(deploy, 'compose', source)), source).toBe(true)
      else expect(Object.keys(volumes)).toContain(source)
    }
  })
})
