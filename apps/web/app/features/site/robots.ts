import { publicUrlContext } from '../../lib/context.ts'
import type { Route } from './+types/robots.ts'

export function loader({ request, context }: Route.LoaderArgs) {
  const origin = context.get(publicUrlContext) ?? new URL(request.url).origin
  const body = `User-agent: *
Disallow: /app
Disallow: /auth/
Disallow: /pay/

Sitemap: ${origin}/sitemap.xml
`
  return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
