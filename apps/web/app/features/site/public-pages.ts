/** The addresses that a search engine is told of. */
export const publicPages = [
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
