/** Every address of the web app that a link may name. */
export const paths = {
  home: '/',
  documentation: '/documentation',
  firstPayment: '/documentation#quick-start',
  pricing: '/pricing',
  apiReference: '/api-reference',
  contact: '/contact',
  help: '/help',
  status: '/status',
  devSupport: '/dev-support',
  signIn: '/auth/signin',
  signUp: '/auth/signup',
  forgotPassword: '/auth/forgot-password',
  verifyOtp: (otpId: string) => `/auth/verify-otp/${encodeURIComponent(otpId)}`,
  setNewPassword: (otpId: string) => `/auth/password/set-new/${encodeURIComponent(otpId)}`,
  resetPassword: '/auth/password/reset',
  dashboard: '/app',
  payments: '/app/payments',
  newPayment: '/app/payments?new=1',
  paymentsOf: (status: string) => `/app/payments?status=${encodeURIComponent(status)}`,
  paymentsBy: (method: string) => `/app/payments?method=${encodeURIComponent(method)}`,
  /** The payments that were created in these days; both ends are included. */
  paymentsIn: (from: string, to: string) => `/app/payments?from=${from}&to=${to}`,
  payment: (paymentId: string) => `/app/payments?payment=${encodeURIComponent(paymentId)}`,
  applications: '/app/applications',
  application: (applicationId: string) => `/app/applications/manage/${encodeURIComponent(applicationId)}`,
  banking: (applicationId: string) =>
    `/app/applications/manage/${encodeURIComponent(applicationId)}?tab=banking`,
  reconciliations: '/app/reconciliations',
  settings: '/app/settings',
  till: '/app/till',
  tillToday: '/app/till/today',
  tillNumber: '/app/till?step=number',
  tillPayment: (paymentId: string) => `/app/till?payment=${encodeURIComponent(paymentId)}`,
  tillAskAgain: (paymentId: string) => `/app/till?payment=${encodeURIComponent(paymentId)}&step=number`,
  team: '/app/settings/team',
  security: '/app/settings/security',
  activity: '/app/settings/activity',
  invitation: '/invitation',
} as const

/** The state of a link to the applications that opens the dialog for a new one. */
export const CREATES = 'create'

/** The state of a link to the payments that moves the focus to their search. */
export const SEARCHES = 'search'
