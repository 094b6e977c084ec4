export const publicPages = [
  '/',
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
  '/documentation',
  '/pricing',
] as const

/** Pages of text, which load the framework on demand. */
export const textPages = [
  ...publicPages.filter((path) => path !== '/contact' && path !== '/status'),
  '/api-reference',
]
