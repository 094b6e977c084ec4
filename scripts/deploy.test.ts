import { spawnSync } from 'node:child_process'
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
import { parse, parseAllDocuments } from 'yaml'
import { parseGatewayConfig } from '../apps/server/src/gateway-config.ts'
import { repository } from './lib/repository.ts'

const deploy = path.join(repository, 'deploy')
const read = (file: string) => readFileSync(path.join(deploy, file), 'utf8')

/** The time that a stopping process needs at most: `DRAIN_SECONDS` of production, and the deadline of its stop. */
const STOP_SECONDS = 10 + 25

const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' })
const isInstalled = (program: string) => run(program, '--version').status === 0

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

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  /** Of a ConfigMap. */
  readonly data?: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a specification of its own
  readonly spec: any
}

describe('the Kustomize base', () => {
  const { resources, configMapGenerator } = parse(read('kubernetes/kustomization.yaml'))
  const manifests: Manifest[] = resources.flatMap((file: string) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => {
      expect(document.errors).toEqual([])
      return document.toJS()
    }),
  )
  const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind)
  const deployments = ofKind('Deployment')

  test('names every file of its folder', () => {
    const files = [...resources, ...configMapGenerator.flatMap(({ envs }: { envs: string[] }) => envs)]
    expect(readdirSync(path.join(deploy, 'kubernetes')).sort()).toEqual(
      [...files, 'kustomization.yaml'].sort(),
    )
  })

  test('runs two processes of each role', () => {
    const roles = deployments.map(({ spec }) => [
      spec.template.spec.containers[0].env[0].value,
      spec.replicas,
    ])
    expect(roles).toEqual([
      ['api', 2],
      ['worker', 2],
    ])
  })

  test('every selector selects pods of one deployment', () => {
    const labels = deployments.map(({ spec }) => spec.template.metadata.labels)
    const selectors = [
      ...[...deployments, ...ofKind('PodDisruptionBudget')].map(({ spec }) => spec.selector.matchLabels),
      ...ofKind('Service').map(({ spec }) => spec.selector),
    ]
    expect(selectors).toHaveLength(5)
    for (const selector of selectors)
      expect(labels.filter((each) => isSubset(selector, each))).toHaveLength(1)
  })

  test('a pod fulfils the restricted standard, and has probes and the time to stop', () => {
    for (const { spec } of deployments) {
      const pod = spec.template.spec
      const [container] = pod.containers
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(STOP_SECONDS)
      expect(container.readinessProbe.httpGet.path).toBe('/readyz')
      expect(container.livenessProbe.httpGet.path).toBe('/healthz')
      // The pod is out of the service before the drain ends.
      const { periodSeconds, failureThreshold } = container.readinessProbe
      expect(periodSeconds * failureThreshold).toBeLessThan(10)
      const volumes = pod.volumes.map(({ name }: Manifest['metadata']) => name)
      for (const { name } of container.volumeMounts) expect(volumes).toContain(name)
    }
  })
})

const rendered = run('kubectl', 'kustomize', path.join(deploy, 'kubernetes'))
const isKubectlMissing = rendered.error !== undefined

describe.skipIf(isKubectlMissing)(
  `the Kustomize base as kubectl renders it${isKubectlMissing ? ' (skipped: kubectl is not installed)' : ''}`,
  () => {
    const manifests: Manifest[] = parseAllDocuments(rendered.stdout).map((document) => document.toJS())
    const [configMap] = manifests.filter(({ kind }) => kind === 'ConfigMap')
    const containers = manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template.spec.containers[0])

    test('has no error, and every object is in the namespace', () => {
      expect(rendered).toMatchObject({ status: 0, stderr: '' })
      expect(manifests.map(({ kind }) => kind).sort()).toEqual([
        'ConfigMap',
        'Deployment',
        'Deployment',
        'Namespace',
        'PodDisruptionBudget',
        'PodDisruptionBudget',
        'Service',
      ])
      const [namespace, ...others] = manifests.toSorted((a, b) =>
        a.kind === 'Namespace' ? -1 : b.kind === 'Namespace' ? 1 : 0,
      )
      for (const { metadata } of others) expect(metadata.namespace).toBe(namespace?.metadata.name)
    })

    test('its settings start a gateway of each role once the secrets are filled in', () => {
      const secrets = {
        MURIPO_MASTER_KEY: 'dGhpcnR5LXR3byBieXRlcyBhcmUgYSBrZXksIHNhaWQ=',
        DATABASE_URL: 'postgres://muripo_serving:secret@db.internal/muripo',
        SMTP_URL: 'smtps://mail.example',
        FILES_URL: 's3://key:secret@store.internal/papers',
      }
      expect(containers).toHaveLength(2)
      for (const { env, envFrom, image } of containers) {
        expect(image).toMatch(/^registry\.example\.com\/muripo:/)
        // The name ends in a hash, so that changed settings start new pods.
        expect(envFrom[0].configMapRef.name).toBe(configMap?.metadata.name)
        const [role] = env
        const config = parseGatewayConfig({
          NODE_ENV: 'production',
          ...configMap?.data,
          ...secrets,
          [role.name]: role.value,
        })
        expect(config.role).toBe(role.value)
      }
    })
  },
)

const isSubset = (part: Record<string, string>, whole: Record<string, string>) =>
  Object.entries(part).every(([name, value]) => whole[name] === value)
