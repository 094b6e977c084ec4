/** The addresses for search engines. */
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
