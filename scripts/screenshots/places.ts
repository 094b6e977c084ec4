/** A page and the name of its images. */
export interface Place {
  readonly name: string
  readonly path: string
}

export const widths = [1440, 1024, 768, 375] as const

/** Pages that need no account. */
export const publicPlaces: readonly Place[] = [
  { name: 'home', path: '/' },
  ...[
    'documentation',
    'pricing',
    'api-reference',
    'about',
    'blog',
    'careers',
    'contact',
    'privacy',
    'terms',
    'cookies',
    'help',
    'status',
    'dev-support',
  ].map((name) => ({ name, path: `/${name}` })),
  { name: 'not-found', path: '/nothing-is-here' },
  { name: 'parts', path: '/dev/parts' },
  { name: 'sign-in', path: '/auth/signin' },
  { name: 'sign-up', path: '/auth/signup' },
  { name: 'forgot-password', path: '/auth/forgot-password' },
]

/** Pages that need an emailed code. */
export const codePlaces = (signInOtp: string, resetOtp: string): readonly Place[] => [
  { name: 'verify-code', path: `/auth/verify-otp/${signInOtp}` },
  { name: 'set-new-password', path: `/auth/password/set-new/${resetOtp}` },
]

export const dashboardPlaces = (applicationId: string): readonly Place[] => [
  { name: 'overview', path: '/app' },
  { name: 'payments', path: '/app/payments' },
  { name: 'applications', path: '/app/applications' },
  { name: 'application', path: `/app/applications/manage/${applicationId}` },
  { name: 'invoices', path: '/app/invoices' },
  { name: 'reconciliations', path: '/app/reconciliations' },
  { name: 'settings', path: '/app/settings' },
]
