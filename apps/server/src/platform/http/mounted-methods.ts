import type { FastifyInstance } from 'fastify'

/** Records the routes that are mounted from now on. Returns the methods that a path has. */
export function mountedMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const mounted: { readonly parts: readonly string[]; readonly methods: readonly string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.endsWith('*')) mounted.push({ parts: url.split('/'), methods: [method].flat() })
  })
  return (path) => {
    const parts = path.split('/')
    const having = mounted.filter(
      (route) =>
        route.parts.length === parts.length &&
        route.parts.every((part, index) => part.startsWith(':') || part === parts[index]),
    )
    return [...new Set(having.flatMap(({ methods }) => methods))]
  }
}
