/** Every address of the web app that a link may name. */
export const paths = {
  home: '/',
  documentation: '/documentation',
  pricing: '/pricing',
  apiReference: '/api-reference',
  contact: '/contact',
  help: '/help',
  status: '/status',
  signIn: '/auth/signin',
  signUp: '/auth/signup',
  forgotPassword: '/auth/forgot-password',
  verifyOtp: (otpId: string) => `/auth/verify-otp/${encodeURIComponent(otpId)}`,
  setNewPassword: (otpId: string) => `/auth/password/set-new/${encodeURIComponent(otpId)}`,
  dashboard: '/app',
  payments: '/app/payments',
  applications: '/app/applications',
  application: (applicationId: string) => `/app/applications/manage/${encodeURIComponent(applicationId)}`,
} as const
