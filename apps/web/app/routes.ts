import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  layout('shell/root-layout.tsx', [
    layout('features/site/site-layout.tsx', [
      index('features/site/landing/landing.tsx'),
      route('documentation', 'features/site/documentation/documentation.tsx'),
      route('pricing', 'features/site/pricing/pricing.tsx'),
      route('api-reference', 'features/site/api-reference/api-reference.tsx'),
      route('about', 'features/site/pages/about.tsx'),
      route('blog', 'features/site/pages/blog.tsx'),
      route('careers', 'features/site/pages/careers.tsx'),
      route('contact', 'features/site/pages/contact.tsx'),
      route('privacy', 'features/site/pages/privacy.tsx'),
      route('terms', 'features/site/pages/terms.tsx'),
      route('cookies', 'features/site/pages/cookies.tsx'),
      route('help', 'features/site/pages/help.tsx'),
      route('status', 'features/site/pages/status.tsx'),
      route('dev-support', 'features/site/pages/dev-support.tsx'),
    ]),
    layout('features/auth/auth-layout.tsx', [
      route('auth/signin', 'features/auth/sign-in.tsx'),
      route('auth/signup', 'features/auth/sign-up.tsx'),
      route('auth/verify-otp/:otpId', 'features/auth/verify-otp.tsx'),
      route('auth/forgot-password', 'features/auth/forgot-password.tsx'),
      route('auth/password/set-new/:otpId?', 'features/auth/set-new-password.tsx'),
      route('auth/password/reset', 'features/auth/reset-password.tsx'),
      route('invitation', 'features/auth/invitation/invitation.tsx'),
    ]),
    route('app', 'shell/dashboard/dashboard-layout.tsx', [
      index('features/overview/overview.tsx'),
      route('payments', 'features/payments/payments.tsx'),
      route('applications', 'features/applications/applications.tsx'),
      route('applications/manage/:applicationId', 'features/applications/manage.tsx'),
      route('invoices', 'features/invoices/invoices.tsx'),
      route('reconciliations', 'features/reconciliations/reconciliations.tsx'),
      route('settings', 'features/settings/settings-tabs.tsx', [
        index('features/settings/settings.tsx'),
        route('team', 'features/team/team.tsx'),
      ]),
      route('till', 'features/till/till.tsx'),
      route('till/today', 'features/till/today.tsx'),
    ]),
    route('dev/parts', 'features/parts/parts.tsx'),
    route('*', 'features/site/not-found.tsx'),
  ]),
  // One route for all pages of the console: the list of routes, which every merchant loads, names none of them.
  route('console/*', 'features/console/console.tsx'),
  route('sitemap.xml', 'features/site/sitemap.ts'),
  route('robots.txt', 'features/site/robots.ts'),
] satisfies RouteConfig
