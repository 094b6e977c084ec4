/**
 * Allowed imports between the gateway's modules. Results travel in the other direction through callbacks that
 * app.ts registers.
 */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  ledger: [],
  providers: [],
  identity: [],
  applications: ['identity'],
  webhooks: ['identity', 'applications'],
  payments: ['identity', 'applications', 'providers', 'ledger', 'webhooks'],
  reconciliation: ['ledger', 'payments', 'providers'],
  checkout: ['applications', 'providers', 'payments'],
  operators: ['identity', 'applications', 'providers', 'ledger', 'webhooks', 'payments', 'site'],
  stats: ['identity'],
  live: ['identity', 'payments'],
  site: ['providers'],
}

const modules = 'apps/server/src/modules'
const web = 'apps/web/app'
/** The rooms of the web app, lowest first: each may import those before it. Features import all of them, and no other feature. */
export const webRooms = ['lib', 'session', 'live', 'api', 'components', 'shell', 'features']

/**
 * The folders of commands and of tests with processes, lowest first: each may import the library of scripts and those before it. The commands
 * of scripts, apart from their library, may import the rig.
 */
const tools = ['scripts', 'rig', 'bench', 'drills', 'e2e']

/** The rule that an import breaks, by the two files' places in the repository; undefined when it may be. */
export function brokenRule(from: string, to: string): string | undefined {
  const isTest = /\.(test|spec)\.tsx?$|^packages\/[^/]+\/test\//.test(from)
  const [room, app] = from.split('/')
  const [toRoom, toApp] = to.split('/')

  if (room === 'packages' && app === 'contract' && !to.startsWith('packages/contract/')) {
    return 'the contract imports no other part'
  }
  if (isTest && to.startsWith('packages/testing/')) return undefined
  if (from.startsWith('packages/rig/') && toRoom === 'apps') return 'the rig reaches an app over the wire'
  if (
    room === 'packages' &&
    app !== 'rig' &&
    !to.startsWith(`packages/${app}/`) &&
    !to.startsWith('packages/contract/')
  ) {
    return 'a package imports only the contract'
  }
  if (room === 'apps' && toRoom === 'apps' && app !== toApp) return 'an app imports no other app'
  if (room === 'apps' && !['apps', 'packages'].includes(toRoom ?? ''))
    return 'an app imports only itself and packages'
  if ((room === 'e2e' || (room === 'bench' && !isTest)) && toRoom === 'apps')
    return 'end-to-end tests and benchmarks import no app'
  const betweenTools = brokenBetweenTools(from, to)
  if (betweenTools || isTest) return betweenTools
  if (/^apps\/[^/]+\/(src|app)\//.test(from) && /^apps\/[^/]+\/test\//.test(to))
    return 'production code imports no test code'
  return brokenInServer(from, to) ?? brokenInWeb(from, to)
}

function brokenBetweenTools(from: string, to: string): string | undefined {
  const [folder = '', target = ''] = [from, to].map(
    (file) => file.replace(/^packages\/rig\//, 'rig/').split('/')[0],
  )
  if (folder === target || !tools.includes(folder) || !tools.includes(target)) return undefined
  if (target === 'rig' && folder === 'scripts' && !/^scripts\/(lib|checks)\//.test(from)) return undefined
  if (tools.indexOf(target) > tools.indexOf(folder))
    return `${folder} may import ${tools.slice(0, tools.indexOf(folder)).join(', ') || 'no other tool'}`
  if (target === 'scripts' && !to.startsWith('scripts/lib/'))
    return 'of scripts, other folders import the library only'
  return undefined
}

function brokenInServer(from: string, to: string): string | undefined {
  const module = within(modules, from)
  const target = within(modules, to)
  if (from.startsWith('apps/server/src/platform/') && target) return 'the platform imports no module'
  if (/^apps\/server\/src\/(platform|modules)\//.test(from) && /^apps\/server\/src\/[^/]+\.ts$/.test(to)) {
    return 'only the process and the tests import the composition root'
  }
  if (module && !mayImport[module])
    return `the module ${module} is not in the table of scripts/checks/may-import.ts`
  if (!target || module === target) return undefined
  if (module && !mayImport[module]?.includes(target)) {
    return `${module} may import ${mayImport[module]?.join(', ') || 'no other module'}`
  }
  if (module && to !== `${modules}/${target}/index.ts`)
    return 'only index.ts of another module may be imported'
  return undefined
}

function brokenInWeb(from: string, to: string): string | undefined {
  const room = within(web, from)
  const target = within(web, to)
  // The route table, the document and the entries are above all rooms.
  if (!room || !to.startsWith(`${web}/`)) return undefined
  if (!webRooms.includes(room)) return `the room ${room} is not in the list of scripts/checks/may-import.ts`
  if (!target) return 'the rooms of the web app do not import the document, the entries or the route table'
  const feature = within(`${web}/features`, from)
  const targetFeature = within(`${web}/features`, to)
  if (feature && targetFeature && feature !== targetFeature)
    return 'features of the web app do not import each other'
  if (webRooms.indexOf(target) > webRooms.indexOf(room)) {
    return `${room} may import ${webRooms.slice(0, webRooms.indexOf(room)).join(', ') || 'no other room'}`
  }
  return undefined
}

/** The folder directly below `base` that a file lies in. */
function within(base: string, file: string): string | undefined {
  if (!file.startsWith(`${base}/`)) return undefined
  const [folder, ...rest] = file.slice(base.length + 1).split('/')
  return rest.length > 0 ? folder : undefined
}
