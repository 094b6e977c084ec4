import { originOf } from '../../lib/context.ts'
import type { Route } from './+types/sitemap.ts'

/** The addresses for search engines. */
const publicPages = [
  '/',
  '/documentation',
  '/pricing',
  '/api-reference',
  '/about',
  '/blog',
  '/careers',
  '/contact',
  '/privacy',
  '/terms',
  '/cookies',
  '/help',
  '/status',
  '/dev-support',
] as const

export function loader({ request, context }: Route.LoaderArgs) {
  const origin = originOf(context, request)
  const entries = publicPages.map((path) => `  <url><loc>${escaped(origin + path)}</loc></url>`)
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
  return new Response(body, { headers: { 'content-type': 'application/xml; charset=utf-8' } })
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
