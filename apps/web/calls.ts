import type { Plugin } from 'vite'

const prefix = 'virtual:calls/'

/**
 * `import * as calls from 'virtual:calls/applications'` has the routes of a file of the contract with their methods and paths only: no schema is
 * sent to a browser, and no route that is not used. Their types are those of the contract. Each importing file has its own routes, so that they
 * are in the file of the build that needs them.
 */
export function calls(): Plugin {
  return {
    name: 'muripo-calls',
    resolveId: (id, importer = '') => (id.startsWith(prefix) ? `\0${id}?${importer}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const [name] = id.slice(prefix.length + 1).split('?')
      const exported: Record<string, unknown> = await import(`@muripo/contract/${name}`)
      return Object.entries(exported)
        .flatMap(([route, value]) => {
          const { method, path } = (value ?? {}) as { readonly method?: string; readonly path?: string }
          return method && path ? [`export const ${route} = ${JSON.stringify({ method, path })}`] : []
        })
        .join('\n')
    },
  }
}
