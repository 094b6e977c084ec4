import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { parseGatewayConfig } from '../../apps/server/src/gateway-config.ts'
import { repository } from '../lib/repository.ts'
import { deploy, read, run, STOP_SECONDS } from './deploy.ts'

const models = { ConfigMap, Deployment, Ingress, Namespace, NetworkPolicy, PodDisruptionBudget, Service }

interface Manifest {
  readonly apiVersion: string
  readonly kind: keyof typeof models
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

  test('each object fits the schema of its kind', () => expectSchemas(manifests))

  test('an unknown field and a wrong value are found', async () => {
    const [deployment] = structuredClone(deployments)
    if (!deployment) throw new Error('no deployment')
    deployment.spec.template.spec.containers[0].readinessProb = {}
    await expect(expectSchemas([deployment])).rejects.toThrow('readinessProb')
    const [other] = structuredClone(deployments)
    if (!other) throw new Error('no deployment')
    other.spec.replicas = 1.5
    await expect(expectSchemas([other])).rejects.toThrow('replicas')
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

  test('only the ingress reaches the API, nobody the workers, and no forwarded address is trusted at first', () => {
    const policies = ofKind('NetworkPolicy').map(({ spec }) => [
      spec.podSelector.matchLabels['app.kubernetes.io/component'],
      spec.ingress?.length ?? 0,
    ])
    expect(policies).toEqual([
      ['api', 1],
      ['worker', 0],
    ])
    expect(read('kubernetes/settings.env')).toMatch(/^TRUSTED_PROXIES=192\.0\.2\.0\/24$/m)
  })

  test('only the container that migrates has the address of the owner', () => {
    for (const { spec } of deployments) {
      const { containers, initContainers } = spec.template.spec
      const secretsOf = (container: { envFrom: { secretRef?: { name: string } }[] }) =>
        container.envFrom.flatMap(({ secretRef }) => secretRef?.name ?? [])
      expect(initContainers.map(secretsOf)).toEqual([['muripo', 'muripo-owner']])
      expect(containers.map(secretsOf)).toEqual([['muripo']])
      expect(initContainers[0].securityContext).toEqual(containers[0].securityContext)
    }
  })

  test('the ingress of the example overlay fits its schema and names the service', async () => {
    const ingress: Manifest = parse(read('kubernetes-overlay/ingress.yaml'))
    await expectSchemas([ingress])
    const [service] = ofKind('Service')
    expect(ingress.spec.rules[0].http.paths[0].backend.service).toEqual({
      name: service?.metadata.name,
      port: { name: service?.spec.ports[0].name },
    })
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
        'NetworkPolicy',
        'NetworkPolicy',
        'PodDisruptionBudget',
        'PodDisruptionBudget',
        'Service',
      ])
      const [namespace, ...others] = manifests.toSorted((a, b) =>
        a.kind === 'Namespace' ? -1 : b.kind === 'Namespace' ? 1 : 0,
      )
      for (const { metadata } of others) expect(metadata.namespace).toBe(namespace?.metadata.name)
    })

    test('each object fits the schema of its kind', () => expectSchemas(manifests))

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

/**
 * The compiler finds unknown and missing fields, as the server of Kubernetes does with strict validation; the schemas find wrong values.
 *
 * @throws with the names of the fields
 */
async function expectSchemas(manifests: readonly Manifest[]): Promise<void> {
  const results = path.join(repository, 'test-results')
  mkdirSync(results, { recursive: true })
  const folder = mkdtempSync(path.join(results, 'kubernetes-'))
  try {
    const typed = manifests.map((manifest, place) => {
      const { apiVersion, kind } = manifest
      const type = `import('kubernetes-models/${apiVersion}').I${kind}`
      return `export const object${place}: ${type} = ${JSON.stringify(manifest, null, 1)}`
    })
    writeFileSync(path.join(folder, 'objects.ts'), typed.join('\n'))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig']
    const { status, stdout } = run('tsc', ...options, path.join(folder, 'objects.ts'))
    if (status !== 0) throw new Error(stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const manifest of manifests) new models[manifest.kind](manifest).validate()
}
