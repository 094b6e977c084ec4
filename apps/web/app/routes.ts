import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  layout('ui/frame.tsx', [
    layout('site/layout.tsx', [
      index('site/landing/landing.tsx'),
      route('documentation', 'site/documentation/documentation.tsx'),
      route('pricing', 'site/pricing/pricing.tsx'),
      route('api-reference', 'site/api-reference/api-reference.tsx'),
      route('about', 'site/pages/about.tsx'),
      route('blog', 'site/pages/blog.tsx'),
      route('careers', 'site/pages/careers.tsx'),
      route('contact', 'site/pages/contact.tsx'),
      route('privacy', 'site/pages/privacy.tsx'),
      route('terms', 'site/pages/terms.tsx'),
      route('cookies', 'site/pages/cookies.tsx'),
      route('help', 'site/pages/help.tsx'),
      route('status', 'site/pages/status.tsx'),
      route('dev-support', 'site/pages/dev-support.tsx'),
    ]),
    layout('ui/kit-frame.tsx', [
      layout('auth/layout.tsx', [
        route('auth/signin', 'auth/sign-in.tsx'),
        route('auth/signup', 'auth/sign-up.tsx'),
        route('auth/verify-otp/:otpId', 'auth/verify-otp.tsx'),
        route('auth/forgot-password', 'auth/forgot-password.tsx'),
        route('auth/password/set-new/:otpId?', 'auth/set-new-password.tsx'),
        route('auth/password/reset', 'auth/reset-password.tsx'),
      ]),
      route('app', 'dashboard/shell/shell.tsx', [
        index('dashboard/overview/overview.tsx'),
        route('payments', 'dashboard/payments/payments.tsx'),
        route('applications', 'dashboard/applications/applications.tsx'),
        route('applications/manage/:applicationId', 'dashboard/applications/manage.tsx'),
        route('invoices', 'dashboard/invoices/invoices.tsx'),
        route('reconciliations', 'dashboard/reconciliations/reconciliations.tsx'),
        route('settings', 'dashboard/settings/settings.tsx'),
      ]),
    ]),
    route('*', 'site/not-found.tsx'),
  ]),
  route('sitemap.xml', 'site/sitemap.ts'),
  route('robots.txt', 'site/robots.ts'),
  route('pay/:token', 'checkout/checkout.tsx'),
] satisfies RouteConfig
