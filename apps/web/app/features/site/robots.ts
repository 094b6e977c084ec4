import { originOf } from '../../lib/context.ts'
import type { Route } from './+types/robots.ts'

export function loader({ request, context }: Route.LoaderArgs) {
  const origin = originOf(context, request)
  const body = `User-agent: *
Disallow: /app
Disallow: /auth/
Disallow: /pay/

Sitemap: ${origin}/sitemap.xml
`
  return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
