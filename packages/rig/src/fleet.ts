import path from 'node:path'
import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { alterSystem } from '../../../scripts/lib/postgres.ts'
import { repository } from '../../../scripts/lib/repository.ts'
import { type Environment, type GatewayProcess, launch } from './gateway.ts'
import { freePort } from './listen.ts'
import { Router } from './router.ts'

export type Role = 'api' | 'worker' | 'all'

/** Several processes of the gateway on one database behind a router. */
export interface Fleet {
  readonly router: Router
  readonly members: readonly GatewayProcess[]
  readonly databaseUrl: string
  /** Starts a process, which the router knows when it serves the API. */
  start(name: string, role: Role, tree?: string): Promise<GatewayProcess>
  stop(): Promise<void>
}

/** The numbers that docs/operate.md demands for each process and for operators. */
const CONNECTIONS_OF_A_PROCESS = 40
const OTHER_CONNECTIONS = 10
const DRAIN_SECONDS = 2
const ERROR_LEVEL = 50

/** The setting of a database with the connections of several processes. */
export const connectionsFor = (processes: number, others: number) => ({
  max_connections: String(processes * CONNECTIONS_OF_A_PROCESS + others),
})

/** Starts the database and the router. @param processes the number that runs at the same time */
export async function openFleet(
  dataDir: string,
  processes: number,
  environment: Environment,
): Promise<Fleet> {
  await alterSystem(dataDir, connectionsFor(processes, OTHER_CONNECTIONS))
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const router = await Router.start()
  const members: GatewayProcess[] = []
  return {
    router,
    members,
    databaseUrl: server.url,
    async start(name, role, tree) {
      const member = await startMember(name, role, {
        dataDir,
        ...(tree && { tree }),
        environment: {
          ...environment,
          PUBLIC_URL: router.url,
          DATABASE_URL: server.servingUrl,
          MIGRATE_DATABASE_URL: server.url,
          DRAIN_SECONDS: String(DRAIN_SECONDS),
        },
      })
      members.push(member)
      if (role !== 'worker') router.add(member)
      return member
    },
    async stop() {
      await stopMembers(members)
      await router.close()
      await server.stop()
    },
  }
}

interface MemberOptions {
  readonly dataDir: string
  readonly tree?: string
  readonly environment: Environment
}

/** Starts one of several processes, with a log and metrics of its own. */
export const startMember = async (
  name: string,
  role: Role,
  { dataDir, tree = repository, environment }: MemberOptions,
): Promise<GatewayProcess> =>
  launch({
    dataDir,
    name,
    tree,
    log: path.join(dataDir, `${name}.log`),
    environment: { LOG_LEVEL: 'info', ROLE: role, METRICS_PORT: String(await freePort()), ...environment },
  })

export async function stopMembers(members: readonly GatewayProcess[]): Promise<void> {
  const running = members.filter((member) => member.isRunning())
  // A process that SIGSTOP has frozen handles no other signal before SIGCONT.
  for (const member of running) member.signal('SIGCONT')
  await Promise.all(running.map((member) => member.stop()))
}

export const errorsOf = (member: GatewayProcess) =>
  member.logged().filter(({ level }) => level >= ERROR_LEVEL)

/** The error lines in the logs of several processes, counted by message. */
export function countErrors(members: readonly GatewayProcess[]): Map<string, number> {
  const errors = Map.groupBy(members.flatMap(errorsOf), ({ msg }) => msg)
  return new Map([...errors].map(([msg, lines]) => [msg, lines.length]))
}
